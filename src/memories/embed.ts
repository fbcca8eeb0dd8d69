import type { Services } from "../ports/context.ts";
import type { Embedder, EmbedOptions } from "../ports/embedder.ts";
import type { PendingMemory, RowVectors, StoredMemory } from "../ports/memory-store.ts";
import type { Job } from "../schema/job.ts";

type EmbedJob = Extract<Job, { kind: "embed_memories" }>;

/** Rows a job embeds at most, so that a lease always outlives its job. */
const ROWS_PER_JOB = 100;
/** Rows embedded and stored at a time: what a crash can cost, and how soon the first rows are found by meaning. */
const ROWS_PER_STEP = 16;

/** The work that gives a vector to each row stored without one. */
export function embedJobs(created: readonly StoredMemory[]): Job[] {
  const pending = created.filter((memory) => memory.embedded_by === null);
  const jobs: Job[] = [];
  for (let i = 0; i < pending.length; i += ROWS_PER_JOB) {
    const rows = pending.slice(i, i + ROWS_PER_JOB);
    const tenant_id = rows[0]?.tenant_id ?? "";
    jobs.push({ kind: "embed_memories", payload: { tenant_id, memory_ids: rows.map((row) => row.id) } });
  }
  return jobs;
}

/** Job: embeds the rows that still wait, a few at a time. Running it twice changes nothing. */
export async function embedMemories(services: Services, { payload }: EmbedJob): Promise<void> {
  const { storage, embedder } = services;
  const pending = await storage.memories.pending(payload.tenant_id, payload.memory_ids, embedder.id);
  for (let i = 0; i < pending.length; i += ROWS_PER_STEP) {
    await embedStep(services, payload.tenant_id, pending.slice(i, i + ROWS_PER_STEP));
  }
}

async function embedStep(services: Services, tenant_id: string, rows: readonly PendingMemory[]): Promise<void> {
  const { storage, embedder } = services;
  const vectors = await embedRows(embedder, rows, { role: "passage", priority: "background" });
  const filled = rows.flatMap(({ memory: { id, content_hash } }, i) => {
    const found = vectors[i];
    return found ? [{ id, content_hash, vectors: found }] : [];
  });
  await storage.memories.fillVectors(tenant_id, embedder.id, filled);
}

/** Rows longer than this, in characters, speak for themselves. */
const CONTEXT_LENGTH_MAX = 500;
/** Characters read of the end of the row before. */
const PREVIOUS_LENGTH_MAX = 400;

/** The vectors of rows: of each text alone, and of short rows of a run read with the row before. */
export async function embedRows(
  embedder: Embedder,
  rows: readonly PendingMemory[],
  options: EmbedOptions,
): Promise<RowVectors[]> {
  const own = rows.map(({ memory }) => memory.content);
  const contexts = rows.map(contextText);
  const texts = [...own, ...contexts.filter((text) => text !== null)];
  const vectors = await embedder.embed(texts, options);
  let next = own.length;
  return contexts.flatMap((text, i) => {
    const vector = vectors[i];
    const context = text === null ? null : (vectors[next++] ?? null);
    return vector ? [{ own: vector, context }] : [];
  });
}

function contextText({ memory, previous }: PendingMemory): string | null {
  if (previous === null || memory.content.length > CONTEXT_LENGTH_MAX) return null;
  return `${previous.slice(-PREVIOUS_LENGTH_MAX)}\n${memory.content}`;
}
