import { toTimestamp } from "../core/kernel/clock.ts";
import type { Services } from "../core/ports/context.ts";
import type { JudgedAgain, JudgedFinding } from "../core/ports/observing/judged-findings.ts";
import type { Job } from "../core/schema/job.ts";
import { PART } from "../core/schema/observing/possible-change.ts";
import type { Verdict } from "./compare.ts";
import { compareTexts } from "./compare.ts";
import { DETECTOR } from "./detect.ts";
import type { Judgements } from "./judge.ts";
import { isOpen, judgePairs, mayBeOfOneThing, pairKey } from "./judge.ts";
import type { Pair } from "./pair.ts";
import { happenedAt, pairWith, readMemory } from "./pair.ts";

type Payload = Extract<Job, { kind: "rejudge_memories" }>["payload"];

/** Rows waiting to be compared from which on no more are queued: what is written now is compared before what is old. */
const WAITING_MAX = 500;
/** How long it waits where there is other work to do first, or the judge cannot be asked. */
const LATER_MS = 5_000;

/**
 * Job: has what an earlier judge found of a tenant judged by the present one, then all memories compared anew, the newest first,
 * a few at a time. What people have decided stays. Returns the jobs in the place of this one, or when it goes on, in epoch
 * milliseconds. Without a judge there is nothing to do.
 */
export async function rejudge(
  services: Services,
  { payload, signal }: { readonly payload: Payload; readonly signal: AbortSignal },
): Promise<readonly Job[] | number> {
  const { storage, clock, judge } = services;
  const { tenant_id, from } = payload;
  if (judge === null) return [];
  const goOn = (place: Payload["from"]): Job => ({ kind: "rejudge_memories", payload: { tenant_id, from: place } });
  if (await mustWait(services, tenant_id)) return clock.now() + LATER_MS;
  if (from.table === "findings") {
    const found = await storage.contradictions.judged(tenant_id, from.number);
    await judgeAnew(services, tenant_id, { found, signal });
    const last = found.at(-1);
    return [goOn(last ? { table: "findings", number: last.number } : { table: "memories", number: null })];
  }
  const next = await storage.contradictions.recheckSince(tenant_id, "", from.number);
  return next === null ? [] : [goOn({ table: "memories", number: next })];
}

/** Whether its rows are still read anew by the embedding model, enough of them wait to be compared, or nobody can compare them. */
async function mustWait({ storage, clock, judge }: Services, tenant_id: string): Promise<boolean> {
  if (judge?.state().phase === "failed") return true;
  const { understanding_pending } = await storage.jobs.tally(clock.now(), tenant_id);
  if (understanding_pending >= WAITING_MAX) return true;
  const left = await storage.jobs.countByKind(clock.now(), tenant_id);
  return left.some(({ kind }) => kind === "reread_rows");
}

interface Batch {
  readonly found: readonly JudgedFinding[];
  readonly signal: AbortSignal;
}

/** Takes back what the judge does not find any more, or finds to be something else: then it is found anew. */
async function judgeAnew(services: Services, tenant_id: string, { found, signal }: Batch): Promise<void> {
  const pairs: { readonly one: JudgedFinding; readonly pair: Pair | null }[] = [];
  for (const one of found) pairs.push({ one, pair: await pairOf(services, one) });
  const judgements: Judgements = new Map();
  const read = pairs.flatMap(({ pair }) => pair ?? []);
  await judgePairs(services, read, judgements, signal);
  const gone: number[] = [];
  const kept: JudgedAgain[] = [];
  for (const { one, pair } of pairs) {
    const verdict = pair && verdictOn(pair, judgements);
    const isShared = verdict?.status === one.status && (verdict.rule === PART) === (one.rule === PART);
    if (!isShared) gone.push(one.number);
    else kept.push({ number: one.number, rule: verdict.rule, confidence: verdict.confidence, why: verdict.why });
  }
  await services.storage.contradictions.judgeAgain(tenant_id, { gone, kept }, DETECTOR);
}

/** What the judge makes of a pair; null for nothing, and where callers have stated since what decides it. */
function verdictOn(pair: Pair, judgements: Readonly<Judgements>): Verdict | null {
  if (!isOpen(pair)) return null;
  const judged = judgements.get(pairKey(pair));
  if (!judged) throw new Error("The judge gave no answer: what an earlier one found is judged anew later.");
  return compareTexts(pair, judged);
}

/** The pair of a finding as if neither row had been demoted yet; null where it is no pair any more, or none that would be read now. */
async function pairOf(
  { storage, embedder, clock, manyValued }: Services,
  { newer, older }: JudgedFinding,
): Promise<Pair | null> {
  const [candidate] = await storage.contradictions.candidates({
    ...{ memory: newer, claim: null, happened_at: happenedAt(newer), embedder_id: embedder.id },
    ...{ now: toTimestamp(clock.now()), unrecorded: [], among: [older.id] },
  });
  if (!candidate) return null;
  const memory = { ...candidate.memory, status: "active" as const };
  const pair = pairWith(readMemory({ ...newer, status: "active" }), { ...candidate, memory }, manyValued);
  return pair && mayBeOfOneThing(pair) ? pair : null;
}
