/** What a search does; where two go at the same time, what the second one takes longer is its own. */
export type SearchStage =
  /** Waiting for the vectors of the question, beyond what was done meanwhile. */
  | "embed"
  /** Looking up the entities that the question names. */
  | "names"
  /** Counting the rows that have no vector yet, finding rows by words and by vectors, and reading them. */
  | "candidates"
  /** Weighing their signals and putting them in order. */
  | "scoring"
  /** Holding short statements that say the same of the same against each other. */
  | "superseded-by-newest"
  /** Floors, equal texts, successors, and reading what is returned. */
  | "placing"
  /** Making views of it. */
  | "shown"
  /** Of a recall: writing the summary. */
  | "summary";

/** Times the stages of one search, which follow each other without a gap. */
export interface StageWatch {
  /** Counts the time since the last stage ended for this one; a stage may have several parts. */
  ended(stage: SearchStage): void;
  /** Milliseconds of each stage, in the order in which they first ended. */
  times(): ReadonlyMap<SearchStage, number>;
}

/** Begins to time a search; `embedded_ms` went by for its question before. */
export function watchStages(embedded_ms = 0): StageWatch {
  const spent = new Map<SearchStage, number>([["embed", embedded_ms]]);
  let since = performance.now();
  return {
    ended(stage) {
      const now = performance.now();
      spent.set(stage, (spent.get(stage) ?? 0) + now - since);
      since = now;
    },
    times: () => spent,
  };
}
