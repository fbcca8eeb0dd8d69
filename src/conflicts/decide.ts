import { createYielder } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { NewFinding } from "../core/ports/contradiction-store.ts";
import { comparePair } from "./compare.ts";
import { judgeWithLlm } from "./llm-judge.ts";
import type { Pair } from "./pair.ts";
import { shareSubject } from "./pair.ts";
import type { Verdict } from "./verdict.ts";

/** Pairs of one row that a language model is asked about: each may take it seconds. */
const ASKED_MAX = 3;
/** Scores of the judge that call for another opinion where the rules have none; above, they had their reasons. */
const UNSURE_FROM = 0.3;
/** How sure a language model must be to be believed. */
const OPINION_MIN = 0.7;

export interface Deciding {
  /** What the judge makes of the pairs that it read. */
  readonly scores: ReadonlyMap<Pair, number>;
  /** Until when a language model may be asked, in epoch milliseconds. */
  readonly ask_until: number;
  readonly signal: AbortSignal | undefined;
}

/** What is made of a row's pairs: by the rules and the judge, and, where those are unsure and one is configured, by a language model. */
export async function decidePairs(
  services: Services,
  pairs: readonly Pair[],
  { scores, ask_until, signal }: Deciding,
): Promise<NewFinding[]> {
  const findings: NewFinding[] = [];
  let left = ASKED_MAX;
  const yieldIfDue = createYielder();
  for (const pair of pairs) {
    const judge = scores.get(pair) ?? null;
    const { cosine, shared_entities } = pair.candidate;
    const ruled = comparePair(pair.older.statement, pair.newer.statement, { judge, cosine, shared_entities });
    const mayAsk = services.llm !== null && left > 0 && services.clock.now() < ask_until;
    const asks = ruled === null && mayAsk && isUnsure(pair, judge);
    if (asks) left--;
    const verdict = asks ? await opinionOf(services, pair, signal) : ruled;
    if (verdict) findings.push(toFinding(pair, verdict));
    await yieldIfDue();
  }
  return findings;
}

/** Without a judge, whatever speaks of the same subject is unsure. */
const isUnsure = (pair: Pair, judge: number | null): boolean =>
  judge === null ? shareSubject(pair) : judge >= UNSURE_FROM;

/** A language model's verdict; null when it sees no clash, is not sure, or does not answer. */
async function opinionOf(
  { llm }: Services,
  { older, newer }: Pair,
  signal: AbortSignal | undefined,
): Promise<Verdict | null> {
  if (llm === null) return null;
  const found = await judgeWithLlm(llm, older.statement, newer.statement, signal ?? NEVER);
  if (!found?.contradicts || found.confidence < OPINION_MIN) return null;
  return {
    status: found.kind === "update" ? "outdated" : "conflicted",
    rule: "language_model",
    confidence: found.confidence,
    older_span: { start: 0, end: older.statement.text.length },
    newer_span: { start: 0, end: newer.statement.text.length },
  };
}

const NEVER: AbortSignal = new AbortController().signal;

function toFinding({ older, newer }: Pair, verdict: Verdict): NewFinding {
  const { older_span, newer_span, status, rule, confidence } = verdict;
  return { older: older.memory, newer: newer.memory, older_span, newer_span, status, rule, confidence };
}
