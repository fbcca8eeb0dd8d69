import type { Recent, SessionFile } from "../session-file.ts";
import { appendLines, forgetFile, linesOf, sessionFile } from "../session-file.ts";

/** A memory that a session was told, and by which hashed words it can be seen whether that was taken up. */
export interface KeptTelling {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** How long the transcript was then. */
  readonly offset: number;
  readonly marks: ReadonlySet<string>;
}

/** What became of a telling, each once. */
export type Outcome = "watched" | "used";

/** The tellings of a session: one line each, and one for what became of them. */
export interface KeptTellings {
  /** Those of which something may still become, oldest first. */
  open(): KeptTelling[];
  /** Throws what the system refuses. */
  add(tellings: readonly KeptTelling[]): void;
  /**
   * Those of some memories of which this is noted now for the first time since they were told: of two hooks at once, one gets
   * it. Throws what the system refuses.
   */
  claim(outcome: Outcome, ids: readonly string[]): string[];
}

/** Some 250 tellings; with more, the older half is forgotten. */
const BYTES_MAX = 64 * 1024;
const ID = /^[0-9a-f-]{36}$/;

/** Opens the tellings of a session. `teller` names this process among those that run at the same time. */
export function openTellings(folder: string, session: string, teller: string): KeptTellings {
  const file = sessionFile(folder, session, "told");
  const put = (lines: readonly string[]) => {
    if (lines.length > 0) appendLines(file, lines, BYTES_MAX);
  };
  return {
    open: () => [...statesIn(file).values()].filter(({ used }) => used === null).map(({ telling }) => telling),
    add: (tellings) =>
      put(tellings.map(({ id, at, offset, marks }) => `told ${id} ${at} ${offset} ${[...marks].join()}`)),
    claim: (outcome, ids) => {
      const before = statesIn(file);
      const fresh = ids.filter((id) => before.get(id)?.[outcome] === null);
      if (fresh.length === 0) return [];
      put(fresh.map((id) => `${outcome} ${id} ${teller}`));
      // Appended lines stand in one order for all: whoever is first has it.
      const after = statesIn(file);
      return fresh.filter((id) => after.get(id)?.[outcome] === teller);
    },
  };
}

/** Forgets the tellings of a session, unless they are of just now. */
export const forgetTellings = (folder: string, session: string, recent?: Recent): void =>
  forgetFile(sessionFile(folder, session, "told"), recent);

/** A telling, and who noted first what became of it. */
interface State extends Record<Outcome, string | null> {
  readonly telling: KeptTelling;
}

/** The last telling of each memory. */
function statesIn(file: SessionFile): Map<string, State> {
  const states = new Map<string, State>();
  for (const line of linesOf(file)) {
    const [kind, id = "", ...rest] = line.split(" ");
    if (!ID.test(id)) continue;
    if (kind === "told") states.set(id, { telling: tellingIn(id, rest), watched: null, used: null });
    const state = states.get(id);
    if (state && (kind === "watched" || kind === "used")) state[kind] ??= rest[0] ?? "";
  }
  return states;
}

function tellingIn(id: string, [at = "", offset = "", marks = ""]: readonly string[]): KeptTelling {
  return { id, at: Number(at), offset: Number(offset), marks: new Set(marks.split(",").filter(Boolean)) };
}
