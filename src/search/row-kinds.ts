import type { Hit } from "../core/ports/hits.ts";
import { speakerOf } from "./row-traits.ts";

/** What a row is: a short turn of a conversation, a statement, or a text of several of them. */
export const ROW_KINDS = ["turn", "statement", "text"] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Longest turn that leans on its neighbours, and longest statement, in characters. */
const TURN_LENGTH = 500;
const STATEMENT_LENGTH = 400;
/** Share of the rows of a run that must have a speaker: a note may begin with a word and a colon, too. */
const SPOKEN_SHARE = 0.75;
/** With fewer rows of a run than this, all that was found tells whether people speak here. */
const RUN_ROWS_MIN = 3;

/** Tells what each of the hits is. Only in a run, where nearly every row begins with a name and a colon, is that a speaker. */
export function kindsOf(hits: readonly Hit[]): (hit: Hit) => RowKind {
  const everywhere = tallied(hits);
  const byRun = new Map(
    Array.from(
      Map.groupBy(hits, ({ memory }) => memory.run_id),
      ([run_id, rows]) => [run_id, tallied(rows)] as const,
    ),
  );
  return ({ memory: { run_id, content } }) => {
    const run = byRun.get(run_id) ?? everywhere;
    const { rows, spoken } = run.rows < RUN_ROWS_MIN ? everywhere : run;
    const isSpoken = run_id !== null && spoken >= SPOKEN_SHARE * rows && speakerOf(content) !== "";
    if (isSpoken && content.length <= TURN_LENGTH) return "turn";
    return content.length <= STATEMENT_LENGTH ? "statement" : "text";
  };
}

const tallied = (hits: readonly Hit[]) => ({
  rows: hits.length,
  spoken: hits.filter(({ memory }) => speakerOf(memory.content) !== "").length,
});
