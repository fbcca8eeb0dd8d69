import type { PairSignals, Statement, Verdict } from "./verdict.ts";

const CONFIDENCE = 0.9;

/** Another value of the same subject under the same predicate: the older one has moved on. */
export function comparePair(older: Statement, newer: Statement, _signals: PairSignals): Verdict | null {
  for (const was of older.claims) {
    const is = newer.claims.find((one) => one.subject_key === was.subject_key && one.predicate === was.predicate);
    if (!is || is.value_key === was.value_key) continue;
    return {
      status: "outdated",
      rule: "other_value",
      confidence: CONFIDENCE,
      older_span: was.span,
      newer_span: is.span,
    };
  }
  return null;
}
