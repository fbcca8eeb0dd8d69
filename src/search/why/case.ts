import type { SearchCtx } from "../../core/ports/context.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { WhyNotChange } from "../../core/schema/observing/why-not.ts";
import type { CandidateView } from "../../core/schema/retrieval.ts";
import type { SearchResults } from "../find.ts";
import type { RankedHit } from "../rank.ts";

/** One memory and one search that was to find it. */
export interface Case {
  readonly ctx: SearchCtx;
  readonly memory: StoredMemory;
  readonly findings: SearchResults;
  /** Null where it was not considered. */
  readonly ranked: RankedHit | null;
  /** Why it was left out, though considered. */
  readonly excluded: CandidateView["excluded"];
}

/** Whether a memory comes through a stage. */
export type Outcome =
  | { readonly passed: true; readonly detail: string }
  | {
      readonly passed: false;
      readonly detail: string;
      /** What may be done, as a sentence. */
      readonly next: string;
      /** The members of the search that let it through, set so; null where none does. */
      readonly change: WhyNotChange | null;
    };

export const passed = (detail: string): Outcome => ({ passed: true, detail });
export const failed = (detail: string, next: string, change: WhyNotChange | null = null): Outcome => ({
  passed: false,
  detail,
  next,
  change,
});

/** Words in quotes, with commas between them. */
export const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");
