import { toTimestamp } from "../core/kernel/clock.ts";
import { mapCooperatively, yieldToEventLoop } from "../core/kernel/event-loop.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { ClaimKey, UncheckedMemory } from "../core/ports/contradiction-store.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import { decidePairs } from "./decide.ts";
import { isTurn } from "./events.ts";
import { judgePairs } from "./judge.ts";
import type { ReadMemory } from "./pair.ts";
import { happenedAt, pairWith, readMemory } from "./pair.ts";

/** Who acts when a finding changes a row. */
const DETECTOR: Actor = { agent_id: null, auth_source: "detector" };
/** Rows whose questions are embedded together. */
const ROWS_PER_STEP = 16;
/** How long the rows' questions may take; without them, a row's own vector finds its candidates. */
const QUESTIONS_WAIT_MS = 10_000;
/** How long one call may wait for a language model in all: half of what a job may take. The other rows go by rules and judge. */
const OPINIONS_MS = 2 * 60_000;

export interface DetectInput {
  readonly tenant_id: string;
  readonly memory_ids: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Compares each row that was not checked yet with the rows that speak of the same, demotes the older one of a pair that
 * clashes and links the newer one to it. Running it twice changes nothing; what a crash interrupts is checked again.
 */
export async function detectContradictions(services: Services, input: DetectInput): Promise<void> {
  const { storage, embedder, clock } = services;
  const ask_until = clock.now() + OPINIONS_MS;
  const rows = await storage.contradictions.unchecked(input.tenant_id, input.memory_ids, embedder.id);
  for (let i = 0; i < rows.length; i += ROWS_PER_STEP) {
    const step = rows.slice(i, i + ROWS_PER_STEP);
    const questions = await embedAsQueries(services, step, input.signal);
    for (const [index, row] of step.entries()) {
      input.signal?.throwIfAborted();
      await checkRow(services, row, { question: questions?.[index] ?? null, ask_until, signal: input.signal });
      await yieldToEventLoop();
    }
  }
}

/** The rows' texts as questions: so asked, a row's partner is first among all rows far more often than by its own vector. */
async function embedAsQueries(
  { embedder, log }: Services,
  rows: readonly UncheckedMemory[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[] | null> {
  if (!rows.some(({ memory }) => memory.embedded_by === embedder.id && !isTurn(memory))) return null;
  const limits = [AbortSignal.timeout(QUESTIONS_WAIT_MS), ...(signal ? [signal] : [])];
  const texts = rows.map(({ memory }) => memory.content);
  try {
    return await embedder.embed(texts, { role: "query", priority: "background", signal: AbortSignal.any(limits) });
  } catch (error) {
    signal?.throwIfAborted();
    log.warn("candidates by the rows' own vectors", { cause: describeCause(error) });
    return null;
  }
}

interface CheckOptions {
  readonly question: Float32Array | null;
  readonly ask_until: number;
  readonly signal: AbortSignal | undefined;
}

async function checkRow(
  services: Services,
  row: UncheckedMemory,
  { question, ask_until, signal }: CheckOptions,
): Promise<void> {
  const { storage, embedder, clock } = services;
  const own = readMemory(row.memory);
  const claims = claimKeys(own);
  const now = toTimestamp(clock.now());
  const candidates = isComparable(row, now)
    ? await storage.contradictions.candidates({
        memory: row.memory,
        claims,
        happened_at: happenedAt(row.memory),
        question,
        embedder_id: embedder.id,
        now,
      })
    : [];
  // Each step holds the thread for some milliseconds: between two of them, callers get their turn.
  const pause = () => yieldToEventLoop().then(() => signal?.throwIfAborted());
  await pause();
  const pairs = (await mapCooperatively(candidates, (candidate) => pairWith(own, candidate))).filter(
    (pair) => pair !== null,
  );
  const scores = await judgePairs(services, pairs, signal);
  await pause();
  const findings = await decidePairs(services, pairs, { scores, ask_until, signal });
  await pause();
  await storage.contradictions.record({ memory: row.memory, claims, findings }, DETECTOR);
}

/** A statement that is live, or was until another one demoted it, and whose time is not over. */
const isComparable = ({ memory, demoted }: UncheckedMemory, now: string): boolean =>
  (demoted || LIVE_STATUSES.includes(memory.status)) &&
  (memory.expires_at === null || memory.expires_at > now) &&
  !isTurn(memory);

/** What the row's own claims are found by, each once. */
function claimKeys({ statement }: ReadMemory): ClaimKey[] {
  const keys = new Map<string, ClaimKey>();
  for (const { subject_key, predicate } of statement.claims) {
    keys.set(`${predicate} ${subject_key}`, { subject_key, predicate });
  }
  return [...keys.values()];
}
