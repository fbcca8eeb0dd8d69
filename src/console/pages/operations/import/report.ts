import type { ImportResult } from "../../../api/schemas.gen.ts";

export type OutcomeName = ImportResult["results"][number]["outcome"];

/** Something of a file that was not stored as it is, and why. */
export interface Told {
  readonly line: number;
  readonly outcome: OutcomeName;
  /** The memory that is there instead. */
  readonly id: string | null;
  readonly error: string | null;
}

/** What became of the records of a file so far. */
export interface Report {
  readonly counts: Readonly<Record<OutcomeName, number>>;
  /** Refused ones, and those in whose place something else stands; the first of very many. */
  readonly told: readonly Told[];
}

/** Kept one by one; the rest is counted. */
const TOLD_MAX = 50_000;
const TOLD_BY_LINE: readonly OutcomeName[] = ["refused", "duplicate", "different", "deleted"];

const EMPTY_REPORT: Report = {
  counts: { created: 0, exists: 0, duplicate: 0, different: 0, deleted: 0, skipped: 0, refused: 0 },
  told: [],
};

/** What each outcome is called after its count. */
export const OUTCOME_WORDS: Readonly<Record<OutcomeName, string>> = {
  created: "stored",
  exists: "there already",
  duplicate: "said by another memory already",
  different: "left as they are here, as what is here differs",
  deleted: "left deleted",
  skipped: "left out: rules, skills, agents with trust and settings",
  refused: "refused",
};

/** Gathers what becomes of records. */
export class Reporting {
  readonly #counts = { ...EMPTY_REPORT.counts };
  readonly #told: Told[] = [];

  add(one: Told): void {
    this.#counts[one.outcome] += 1;
    if (TOLD_BY_LINE.includes(one.outcome) && this.#told.length < TOLD_MAX) this.#told.push(one);
  }

  /** As it is now; what is added later does not change it. */
  get report(): Report {
    return { counts: { ...this.#counts }, told: this.#told.slice() };
  }

  get counts(): Report["counts"] {
    return { ...this.#counts };
  }
}

/** Everything that is told by line, as JSON Lines. */
export const asLines = ({ told }: Report): string => told.map((one) => `${JSON.stringify(one)}\n`).join("");
