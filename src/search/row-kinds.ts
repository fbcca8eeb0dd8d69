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

/**
 * Tells what each of the hits is. A name and a colon begin a turn only in a run where nearly every row begins so, and the row
 * before it too: such a row is embedded with the one before.
 */
export function kindsOf(hits: readonly Hit[]): (hit: Hit) => RowKind {
  const everywhere = tallied(hits);
  const byRun = new Map(
    Array.from(
      Map.groupBy(hits, ({ memory }) => memory.run_id),
      ([run_id, rows]) => [run_id, tallied(rows)] as const,
    ),
  );
  return ({ memory: { run_id, content }, vec_sim, context_sim, opens_run }) => {
    const isBehindNote = !opens_run && context_sim === null && vec_sim !== null;
    const run = byRun.get(run_id) ?? everywhere;
    const { rows, spoken } = run.rows < RUN_ROWS_MIN ? everywhere : run;
    const isSpoken = run_id !== null && !isBehindNote && spoken >= SPOKEN_SHARE * rows && speakerOf(content) !== "";
    if (isSpoken && content.length <= TURN_LENGTH) return "turn";
    return content.length <= STATEMENT_LENGTH ? "statement" : "text";
  };
}

const tallied = (hits: readonly Hit[]) => ({
  rows: hits.length,
  spoken: hits.filter(({ memory }) => speakerOf(memory.content) !== "").length,
});
