import { readFileSync } from "node:fs";

/** A pair of memories and what it is; `category` or `kind` names the sort of case. */
export interface LabelledPair {
  readonly older: string;
  readonly newer: string;
  /** `conflict` and `update` should be flagged, anything else should not. */
  readonly label: string;
  readonly category?: string;
  readonly kind?: string;
}

/** Reads pairs, one JSON object a line. */
export const readPairs = (path: string): LabelledPair[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): LabelledPair => JSON.parse(line));

export const isWanted = ({ label }: LabelledPair): boolean => label === "conflict" || label === "update";

export const categoryOf = ({ category, kind, label }: LabelledPair): string => category ?? kind ?? label;

export interface Tally {
  right: number;
  missed: number;
  false_alarms: number;
  quiet: number;
}

export const emptyTally = (): Tally => ({ right: 0, missed: 0, false_alarms: 0, quiet: 0 });

/** Counts one pair. */
export function count(tally: Tally, wanted: boolean, flagged: boolean): void {
  if (wanted && flagged) tally.right++;
  else if (wanted) tally.missed++;
  else if (flagged) tally.false_alarms++;
  else tally.quiet++;
}

/** F1, precision, recall and rate of false alarms. */
export function figuresOf({ right, missed, false_alarms, quiet }: Tally) {
  const precision = right / (right + false_alarms || 1);
  const recall = right / (right + missed || 1);
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  const shown = (value: number) => Number(value.toFixed(3));
  return {
    f1: shown(f1),
    precision: shown(precision),
    recall: shown(recall),
    false_alarm_rate: shown(false_alarms / (false_alarms + quiet || 1)),
  };
}
