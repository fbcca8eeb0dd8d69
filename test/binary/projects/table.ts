import type { PlaceName, Standing } from "./places.ts";
import { PLACES } from "./places.ts";

// The rule, as a table: who is told what, and where what is written goes.

export const VERBS = ["write", "search", "recall", "list", "keystones", "export", "forget"] as const;
export type Verb = (typeof VERBS)[number];
export const DOORS = ["command line", "MCP over stdio", "MCP over HTTP", "hook", "import", "console"] as const;
export type DoorName = (typeof DOORS)[number];

/** Whose texts: the place's own, and everyone's. */
type Whose = "own" | "everyone's";
export interface Expected {
  /** What is told or touched, and nothing else. */
  readonly whose: readonly Whose[];
  /** The door refuses, and says why. */
  readonly refuses?: true;
  /** Either is well: to refuse, or to tell what is everyone's. */
  readonly orLess?: true;
}

const SEEN = {
  project: { whose: ["own", "everyone's"] },
  outside: { whose: ["everyone's"] },
  fault: { whose: ["everyone's"], orLess: true },
} as const;
const OWN = {
  project: { whose: ["own"] },
  outside: { whose: ["everyone's"] },
  fault: { whose: [], refuses: true },
} as const;

export const RULE: Readonly<Record<Verb, Readonly<Record<"project" | "outside" | "fault", Expected>>>> = {
  write: OWN,
  search: SEEN,
  recall: SEEN,
  list: SEEN,
  keystones: SEEN,
  export: OWN,
  forget: OWN,
};

/** Doors at which rules of everyone are told, whatever a file in the folder says: they are what agents are told. */
const RULES_ALWAYS: readonly DoorName[] = ["hook", "MCP over stdio"];

export const kindOf = (standing: Standing) => (typeof standing === "object" ? "project" : standing);

/** What a cell of the table must do. */
export function expectedOf(door: DoorName, verb: Verb, standing: Standing): Expected {
  const kind = kindOf(standing);
  // A session begins with a brief of the project; what is everyone's is told where a prompt asks for it.
  if (verb === "list" && kind === "project" && door === "hook") return { whose: ["own"] };
  if (verb === "keystones" && kind === "fault" && RULES_ALWAYS.includes(door)) return { whose: ["everyone's"] };
  return RULE[verb][kind];
}

const NAMED = "what is forgotten is named, by its project or its id, whatever the folder says";
const READS_ONLY = "it tells, and changes nothing";
const NO_FOLDER = "no folder is told to it: somebody names the project";
const NO_TOOL = "no tool does that";

/** Verbs that a door does not have, and why. */
const NOT_THERE: Readonly<Record<DoorName, Partial<Record<Verb, string>>>> = {
  "command line": {},
  "MCP over stdio": { export: NO_TOOL },
  "MCP over HTTP": { export: NO_TOOL },
  hook: { write: READS_ONLY, recall: "a prompt is answered by a search", export: READS_ONLY, forget: READS_ONLY },
  import: {
    ...{ search: "it writes alone", recall: "it writes alone", list: "it writes alone" },
    ...{ keystones: "rules come from a trusted export of Cairn, with their places", export: "it writes alone" },
    forget: "it writes alone",
  },
  console: { export: "no page exports" },
};

/** Places that a door cannot tell from another. */
const NOT_TOLD: readonly PlaceName[] = [
  "a worktree",
  "a subfolder",
  "a folder whose .cairn.json is broken",
  "a repository whose .cairn.json names another's project",
];

/** Why a cell is void; null for one that is run. */
export function voidOf(door: DoorName, verb: Verb, place: PlaceName): string | null {
  if (verb === "forget" && PLACES[place].standing === "fault") return NAMED;
  if (["MCP over HTTP", "console"].includes(door) && NOT_TOLD.includes(place)) return NO_FOLDER;
  return NOT_THERE[door][verb] ?? null;
}

export interface Cell {
  readonly door: DoorName;
  readonly verb: Verb;
  readonly place: PlaceName;
}
// Safe: the table has these names alone.
const names = Object.keys(PLACES) as PlaceName[];
export const ALL_CELLS: readonly Cell[] = DOORS.flatMap((door) =>
  VERBS.flatMap((verb) => names.map((place) => ({ door, verb, place }))),
);
export const CELLS = ALL_CELLS.filter(({ door, verb, place }) => voidOf(door, verb, place) === null);
