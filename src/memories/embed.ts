import type { Services } from "../core/ports/context.ts";
import type { EmbedOptions, EmbedPriority } from "../core/ports/embedder.ts";
import type { PendingMemory, RowVectors } from "../core/ports/memory-store.ts";
import type { MemoryKey, StoredMemory } from "../core/ports/stored-memory.ts";
import type { Job } from "../core/schema/job.ts";
import { usable } from "../text/embed-with-timeout.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

type EmbedJob = Extract<Job, { kind: "embed_memories" }>;

/** Rows a job embeds at most, so that a lease always outlives its job. */
const ROWS_PER_JOB = 100;
/** Rows embedded and stored at a time: what a crash can cost, and how soon the first rows are found by meaning. */
const ROWS_PER_STEP = 16;

/** The work that gives a vector to each row stored without one. */
export function embedJobs(created: readonly StoredMemory[]): EmbedJob[] {
  return embedJobsOf(created.filter((memory) => memory.embedded_by === null));
}

/** The work that gives a vector to each of these rows of one tenant. */
export function embedJobsOf(pending: readonly MemoryKey[]): EmbedJob[] {
  const jobs: EmbedJob[] = [];
  for (let i = 0; i < pending.length; i += ROWS_PER_JOB) {
    const rows = pending.slice(i, i + ROWS_PER_JOB);
    const tenant_id = rows[0]?.tenant_id ?? "";
    jobs.push({ kind: "embed_memories", payload: { tenant_id, memory_ids: rows.map((row) => row.id) } });
  }
  return jobs;
}

/** How a job is told to stop before it is done. */
interface Stoppable {
  readonly signal?: AbortSignal;
}

/**
 * Job: embeds the rows that still wait, a few at a time. Running it twice changes nothing. Throws when a row is left, after
 * all the others have their vectors.
 */
export async function embedMemories(
  services: Services,
  { payload, signal }: EmbedJob & Stoppable,
  priority: EmbedPriority = "background",
): Promise<void> {
  const { storage, embedder } = services;
  const options: EmbedOptions = { role: "passage", priority, ...(signal ? { signal } : {}) };
  const pending = await storage.memories.pending(payload.tenant_id, payload.memory_ids, embedder.id);
  const refused: PendingMemory[] = [];
  for (let i = 0; i < pending.length; i += ROWS_PER_STEP) {
    const rows = pending.slice(i, i + ROWS_PER_STEP);
    if (await embedStep(services, rows, options)) refused.push(...rows);
  }
  // One text that the model cannot read refuses its whole step; tried alone, it refuses only itself.
  let left: Refused | null = null;
  for (const row of refused) left = (await embedStep(services, [row], options)) ?? left;
  if (left) throw left.reason;
}

interface Refused {
  readonly reason: unknown;
}

/** Embeds and stores a few rows. Returns why the model refused them, or null. */
async function embedStep(
  services: Services,
  rows: readonly PendingMemory[],
  options: EmbedOptions,
): Promise<Refused | null> {
  const { storage } = services;
  const found = await embedRows(services, rows, options).catch((reason: unknown): Refused => ({ reason }));
  if ("reason" in found) return found;
  const tenant_id = rows[0]?.memory.tenant_id ?? "";
  const filled = rows.flatMap(({ memory: { id, content_hash } }, i) => {
    const vectors = found[i];
    return vectors ? [{ id, content_hash, vectors }] : [];
  });
  await storage.memories.fillVectors(tenant_id, filled);
  return null;
}

/** Rows longer than this, in characters, speak for themselves; and so do those that nobody says. */
const CONTEXT_LENGTH_MAX = 500;
/** Characters read of the end of the row before. */
const PREVIOUS_LENGTH_MAX = 400;

/** The vectors of rows: of each text alone by both embedders, and of short turns of a run read with the row before. */
export async function embedRows(
  services: Pick<Services, "embedder" | "secondaryMemoryEmbedder">,
  rows: readonly PendingMemory[],
  options: EmbedOptions,
): Promise<RowVectors[]> {
  const own = rows.map(({ memory }) => memory.content);
  const contexts = rows.map(contextText);
  const texts = [...own, ...contexts.filter((text) => text !== null)];
  const [vectors, secondary] = await Promise.all([
    services.embedder.embed(texts, options),
    usable(services.secondaryMemoryEmbedder)?.embed(own, options) ?? [],
  ]);
  let next = own.length;
  return contexts.flatMap((text, i) => {
    const vector = vectors[i];
    const values = text === null ? null : vectors[next++];
    const previous_hash = rows[i]?.previous?.content_hash ?? "";
    const context = values ? { values, previous_hash } : null;
    return vector ? [{ own: vector, context, secondary: secondary[i] ?? null }] : [];
  });
}

function contextText({ memory, previous }: PendingMemory): string | null {
  if (previous === null || memory.content.length > CONTEXT_LENGTH_MAX || !speakerLabel(memory.content)) return null;
  return `${previous.content.slice(-PREVIOUS_LENGTH_MAX)}\n${memory.content}`;
}
