import { createYielder } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { NewFinding } from "../core/ports/finding.ts";
import type { Judgement } from "../core/ports/judge.ts";
import { clashingSpans } from "./clashing-spans.ts";
import type { Verdict } from "./compare.ts";
import { compareTexts, verdictOfTriples } from "./compare.ts";
import type { Judgements } from "./judge.ts";
import { isOpen, pairKey } from "./judge.ts";
import { judgeWithLlm } from "./llm-judge.ts";
import type { Pair } from "./pair.ts";

/** Pairs of one row that a language model is asked about: each may take it seconds. */
const ASKED_MAX = 3;
/** Scores of the judge from which on a pair that it does not flag calls for another opinion. */
const UNSURE_FROM = 0.3;
/** How sure a language model must be to be believed. */
const OPINION_MIN = 0.7;

export interface Deciding {
  /** What the judge makes of the pairs that it read. */
  readonly judgements: Readonly<Judgements>;
  /** Until when a language model may be asked, in epoch milliseconds. */
  readonly ask_until: number;
  readonly signal: AbortSignal | undefined;
}

/** What is made of a row's pairs: by what callers stated, by the judge, and, where it is unsure and one is configured, by a language model. */
export async function decidePairs(
  services: Services,
  pairs: readonly Pair[],
  { judgements, ask_until, signal }: Deciding,
): Promise<NewFinding[]> {
  const findings: NewFinding[] = [];
  let left = ASKED_MAX;
  const yieldIfDue = createYielder();
  for (const pair of pairs) {
    const judged = judgements.get(pairKey(pair)) ?? null;
    const found = isOpen(pair) ? compareTexts(pair, judged) : verdictOfTriples(pair);
    const mayAsk = services.llm !== null && left > 0 && services.clock.now() < ask_until;
    const asks = isOpen(pair) && found === null && mayAsk && isUnsure(judged);
    if (asks) left--;
    const verdict = asks ? await opinionOf(services, pair, signal) : found;
    if (verdict) findings.push(toFinding(pair, verdict));
    await yieldIfDue();
  }
  return findings;
}

/** Without a judge everything is unsure. */
const isUnsure = (judged: Judgement | null): boolean => judged === null || judged.clash >= UNSURE_FROM;

/** A language model's verdict; null when it sees no clash, is not sure, or does not answer. */
async function opinionOf(
  { llm }: Services,
  { older, newer }: Pair,
  signal: AbortSignal | undefined,
): Promise<Verdict | null> {
  if (llm === null) return null;
  const found = await judgeWithLlm(llm, older, newer, signal ?? new AbortController().signal);
  if (!found?.contradicts || found.confidence < OPINION_MIN) return null;
  return {
    status: found.kind === "update" ? "outdated" : "conflicted",
    rule: "language_model",
    confidence: found.confidence,
    ...clashingSpans(older.memory.content, newer.memory.content),
  };
}

/** What is stored of a verdict. */
export function toFinding({ older, newer }: Pair, verdict: Verdict): NewFinding {
  const { status, rule, confidence } = verdict;
  const spans = { older_span: verdict.older, newer_span: verdict.newer };
  return { older: older.memory, newer: newer.memory, ...spans, status, rule, confidence };
}
