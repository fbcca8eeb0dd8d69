import type { MemoryStatus } from "../core/schema/memory.ts";
import type { OutcomeEvent } from "./outcome.ts";
import { outcomesOf } from "./outcome.ts";

export type TraceLabel = "success" | "failure" | "unknown";

/** What the signals read of a row. */
export interface SignalRow {
  readonly content: string;
  readonly status: MemoryStatus;
  /** What the row that contradicted or superseded it says; null when nobody knows. */
  readonly contradicted_by: string | null;
  /** `metadata.outcome`, where a harness says how the run ended. */
  readonly outcome: string | null;
}

export interface Judgement {
  readonly label: TraceLabel;
  readonly success: number;
  readonly failure: number;
}

/** Weights of the signals, as the product that this interface comes from has them. */
export const SIGNAL_WEIGHTS = {
  /** The last row of a run; what only an earlier one says counts less. */
  terminal: [0.9, 0.7, 0.5],
  /** A row that a later one contradicted or superseded. */
  contradicted: 0.7,
  /** The word of whoever ran the agent. */
  outcome: 0.85,
} as const;
/** With less in sum, nobody knows how the run ended. */
const LABEL_MIN = 0.5;
const WITHDRAWN: readonly MemoryStatus[] = ["cancelled", "archived", "deleted"];
const CONTRADICTED: readonly MemoryStatus[] = ["outdated", "conflicted"];

type Standing = Pick<SignalRow, "status" | "contradicted_by">;

/**
 * Whether a row was contradicted by what speaks against its run: a person's word, or a later statement that something went
 * wrong. That a later run rolled out a newer version takes nothing from the run before.
 */
const isContradicted = ({ status, contradicted_by }: Standing): boolean =>
  CONTRADICTED.includes(status) && (contradicted_by === null || outcomesOf(contradicted_by).some(isBad));

const isBad = ({ kind }: OutcomeEvent): boolean => kind === "setback" || kind === "end";

/** Whether what a row says of its run still stands. */
export const isLastingOutcome = (row: Standing): boolean => !WITHDRAWN.includes(row.status) && !isContradicted(row);

/** How a run ended, by its last rows, by what became of its statements, and by what its harness says. Rows are in order of time. */
export function judgeRun(rows: readonly SignalRow[]): Judgement {
  const said = terminalSignal(rows);
  const outcome = rows.findLast((row) => row.outcome === "success" || row.outcome === "failure")?.outcome;
  const contradicted = rows.some(isContradicted) ? SIGNAL_WEIGHTS.contradicted : 0;
  const success = (said.good ? said.weight : 0) + (outcome === "success" ? SIGNAL_WEIGHTS.outcome : 0);
  const failure = (said.good ? 0 : said.weight) + (outcome === "failure" ? SIGNAL_WEIGHTS.outcome : 0) + contradicted;
  return { label: labelOf(success, failure), success, failure };
}

function labelOf(success: number, failure: number): TraceLabel {
  if (success + failure < LABEL_MIN || success === failure) return "unknown";
  return success > failure ? "success" : "failure";
}

interface Ending {
  readonly good: boolean;
  /** Rows before the last one. */
  readonly rowsAgo: number;
  readonly kind: OutcomeEvent["kind"];
}

/** What the last rows say, read as one story: a setback can be overcome, giving up cannot be closed away. */
function terminalSignal(rows: readonly SignalRow[]): { good: boolean; weight: number } {
  const tail = rows.slice(-SIGNAL_WEIGHTS.terminal.length);
  let ending: Ending | null = null;
  for (const [i, row] of tail.entries()) {
    if (!isLastingOutcome(row)) continue;
    const rowsAgo = tail.length - 1 - i;
    for (const event of outcomesOf(row.content)) ending = after(ending, event, rowsAgo);
  }
  return ending
    ? { good: ending.good, weight: SIGNAL_WEIGHTS.terminal[ending.rowsAgo] ?? 0 }
    : { good: false, weight: 0 };
}

function after(before: Ending | null, { kind, turns }: OutcomeEvent, rowsAgo: number): Ending {
  if (kind === "setback" || kind === "end") return { good: false, rowsAgo, kind };
  if (kind === "works" || !before || before.good) return { good: true, rowsAgo, kind };
  const isOvercome = before.kind === "setback" && (turns || before.rowsAgo > rowsAgo);
  return isOvercome ? { good: true, rowsAgo, kind } : before;
}
