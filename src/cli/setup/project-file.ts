import { join } from "node:path";
import type { Ground } from "./ground.ts";
import type { Machine, Scope } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESS_NAMES } from "./harnesses.ts";
import { partsIn } from "./merge.ts";
import type { Planned, Wanted } from "./plan.ts";
import { planFile } from "./plan.ts";
import { readText } from "./read-text.ts";
import { placesOf, wantedAgentsFile } from "./wish.ts";

/** The member that tells a file of ours from one that a person wrote. */
const MAKER = "cairn setup";

/** The file that says to which project a folder belongs, made where nothing says so. */
export function planProjectFile(name: string, ground: Ground): Planned {
  const file = join(ground.root, ".cairn.json");
  if (readIfText(file, ground) !== null)
    return { file, fault: `${file} belongs to somebody else and names no project for you: remove it first` };
  const after = `${JSON.stringify({ project: name, by: MAKER }, null, 2)}\n`;
  return { file, before: null, after, spent: [] };
}

/** What is taken back, and for whom. */
export interface Leaving {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly names: readonly HarnessName[];
}

/** Takes our file back, unless it was changed, or a harness that is not among those leaving still relies on it. */
export function planProjectFileRemoval({ machine, names }: Leaving, ground: Ground): Planned | null {
  const file = join(ground.root, ".cairn.json");
  const before = readIfText(file, ground);
  if (before === null || !/^\{\s*"project": "[^"]*",\s*"by": "cairn setup"\s*\}\s*$/.test(before)) return null;
  const others = HARNESS_NAMES.filter((name) => !names.includes(name));
  return others.some((name) => mayHoldOurs(name, machine, ground)) ? null : { file, before, after: null, spent: [] };
}

/** Takes our block out of AGENTS.md, unless a harness that is not leaving still works with Cairn here. */
export function planAgentsFileRemoval({ machine, scope, names }: Leaving, ground: Ground): Planned | null {
  const wanted = wantedAgentsFile(machine, true);
  if (!holdsOurs(wanted, ground)) return null;
  const grounds = [ground, ownOf(machine)];
  const isSetUp = HARNESS_NAMES.some((name) =>
    grounds.some((one) => !(names.includes(name) && scopeOf(one) === scope) && mayHoldOurs(name, machine, one)),
  );
  return isSetUp ? null : planFile(wanted, ground);
}

/** What is a person's own on this machine. */
export const ownOf = ({ home }: Machine): Ground => ({ kind: "own", root: home });

const scopeOf = ({ kind }: Ground): Scope => (kind === "own" ? "user" : "project");

/** Whether a harness has something of ours on a ground; null where a file cannot be read. */
export function isSetUpOn(name: HarnessName, machine: Machine, ground: Ground): boolean | null {
  const held = placesOf(name, machine, scopeOf(ground)).map((place) => holdsOurs(place, ground));
  return held.includes(true) || (held.includes(null) ? null : false);
}

/** A file that cannot be read may hold ours. */
const mayHoldOurs = (name: HarnessName, machine: Machine, ground: Ground): boolean =>
  isSetUpOn(name, machine, ground) !== false;

/** Null where it cannot be read. */
function holdsOurs({ file, spot }: Pick<Wanted, "file" | "spot">, ground: Ground): boolean | null {
  try {
    return partsIn(readText(file, ground) ?? "", spot).length > 0;
  } catch {
    return null;
  }
}

/** What cannot be read is none of ours. */
function readIfText(file: string, ground: Ground): string | null {
  try {
    return readText(file, ground);
  } catch {
    return null;
  }
}
