import { createYielder, yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { Check, UncheckedMemory } from "../core/ports/contradiction-store.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import type { Deciding } from "./decide.ts";
import { decidePairs } from "./decide.ts";
import { findPairs, readRow } from "./find-pairs.ts";
import type { Judgements } from "./judge.ts";
import { judgePairs } from "./judge.ts";
import type { Pair } from "./pair.ts";

/** Who acts when a finding changes a row. */
export const DETECTOR: Actor = { agent_id: null, auth_source: "detector" };
/** Rows whose pairs are judged together, and which are recorded together where nothing is found. */
const ROWS_PER_STEP = 16;
/** How long one call may wait for a language model in all: half of what a job may take. The other rows go by the judge. */
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
    if (i > 0) await yieldToEventLoop();
    await checkRows(services, rows.slice(i, i + ROWS_PER_STEP), { ask_until, signal: input.signal });
  }
}

type CheckOptions = Omit<Deciding, "judgements">;

/**
 * Checks rows as if one after the other: each meets the earlier ones among them as if these were recorded. What is found of
 * one may change what the later ones meet, which is then looked up anew.
 */
async function checkRows(services: Services, rows: readonly UncheckedMemory[], options: CheckOptions): Promise<void> {
  const { contradictions } = services.storage;
  const read = rows.map(readRow);
  const judgements: Judgements = new Map();
  const yieldIfDue = createYielder();
  const found: (readonly Pair[])[] = [];
  for (const [i, one] of read.entries()) {
    found.push(await findPairs(services, one, read.slice(0, i)));
    await yieldIfDue();
  }
  await judgePairs(services, found.flat(), judgements, options.signal);
  let unrecorded: Check[] = [];
  let isChanged = false;
  for (const [i, one] of read.entries()) {
    options.signal?.throwIfAborted();
    const pairs = isChanged ? await findPairs(services, one, read.slice(i - unrecorded.length, i)) : (found[i] ?? []);
    if (isChanged) await judgePairs(services, pairs, judgements, options.signal);
    const findings = await decidePairs(services, pairs, { ...options, judgements });
    const { memory, is_partial } = one.row;
    unrecorded.push({ memory, claim: one.claim, findings, is_partial });
    if (findings.length === 0) continue;
    await contradictions.record(unrecorded, DETECTOR);
    unrecorded = [];
    isChanged = true;
    await yieldIfDue();
  }
  if (unrecorded.length > 0) await contradictions.record(unrecorded, DETECTOR);
}
