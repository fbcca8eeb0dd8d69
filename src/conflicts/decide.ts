import { createYielder } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { NewFinding } from "../core/ports/finding.ts";
import type { Judgement } from "../core/ports/judge.ts";
import { PART, POSSIBLE } from "../core/schema/observing/possible-change.ts";
import { clashingSpans } from "./clashing-spans.ts";
import type { Verdict } from "./compare.ts";
import { compareTexts, verdictOfTriples } from "./compare.ts";
import type { Judgements } from "./judge.ts";
import { isOpen, pairKey } from "./judge.ts";
import { judgeWithLlm } from "./llm-judge.ts";
import type { Pair } from "./pair.ts";
import { saidToStand } from "./said-to-stand.ts";

/** Pairs of one row that a language model is asked about: each may take it seconds. */
const ASKED_MAX = 3;
/** How sure a language model must be to be believed. */
const OPINION_MIN = 0.7;

export interface Deciding {
  /** What the judge makes of the pairs that it read. */
  readonly judgements: Readonly<Judgements>;
  /** Until when a language model may be asked, in epoch milliseconds. */
  readonly ask_until: number;
  readonly signal: AbortSignal | undefined;
}

/** What is made of a row's pairs: by what callers stated, by the judge, and, of what is merely possible, by a language model where one is configured. */
export async function decidePairs(
  services: Services,
  pairs: readonly Pair[],
  { judgements, ask_until, signal }: Deciding,
): Promise<NewFinding[]> {
  const findings: NewFinding[] = [];
  let left = ASKED_MAX;
  const isSettled = saidToStand(services);
  const yieldIfDue = createYielder();
  for (const pair of pairs) {
    const judged = judgements.get(pairKey(pair)) ?? null;
    const found = isOpen(pair) ? compareTexts(pair, judged) : verdictOfTriples(pair);
    if (found !== null && isOpen(pair) && (await isSettled(pair))) continue;
    const mayAsk = services.llm !== null && left > 0 && services.clock.now() < ask_until;
    const asks = isOpen(pair) && mayAsk && isUnsure(judged, found);
    if (asks) left--;
    const verdict = asks ? await withOpinion(services, { pair, found }, signal) : found;
    if (verdict) findings.push(toFinding(pair, verdict));
    await yieldIfDue();
  }
  return findings;
}

/** Without a judge everything is unsure that values do not tell. A change of a part is none that an opinion makes whole. */
const isUnsure = (judged: Judgement | null, found: Verdict | null): boolean =>
  judged === null ? found === null : found?.status === POSSIBLE && found.rule !== PART;

interface Undecided {
  readonly pair: Pair;
  readonly found: Verdict | null;
}

/** A language model's verdict where it is sure of one; else, or where it does not answer, what was found without it. */
async function withOpinion(
  { llm }: Services,
  { pair: { older, newer }, found }: Undecided,
  signal: AbortSignal | undefined,
): Promise<Verdict | null> {
  if (llm === null) return found;
  const opinion = await judgeWithLlm(llm, older, newer, signal ?? new AbortController().signal);
  if (opinion === null || opinion.confidence < OPINION_MIN) return found;
  if (!opinion.contradicts) return null;
  return {
    status: opinion.kind === "update" ? "outdated" : "conflicted",
    rule: "language_model",
    confidence: opinion.confidence,
    why: null,
    ...clashingSpans(older.memory.content, newer.memory.content),
  };
}

/** What is stored of a verdict. */
export function toFinding({ older, newer }: Pair, verdict: Verdict): NewFinding {
  const { status, rule, confidence, why } = verdict;
  const spans = { older_span: verdict.older, newer_span: verdict.newer };
  return { older: older.memory, newer: newer.memory, ...spans, status, rule, confidence, why };
}
