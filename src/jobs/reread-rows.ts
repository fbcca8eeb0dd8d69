import type { Services } from "../core/ports/context.ts";
import type { Job, RereadPlace } from "../core/schema/job.ts";
import { embedDocuments, embedDocumentsJob } from "../documents/embed.ts";
import { embedMemories } from "../memories/embed.ts";

type Payload = Extract<Job, { kind: "reread_rows" }>["payload"];

interface Rereading {
  readonly payload: Payload;
  /** Counts from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Rows that are read in one step: one job's. */
const ROWS_PER_STEP = 100;
/** How long the room that former vectors left waits for other tenants to leave theirs. */
const ROOM_DELAY_MS = 60_000;

/**
 * Job: has the model read the next few rows of a tenant that only another one has read: documents, then memories, the newest first.
 * Rows that it refuses get jobs of their own. Once all are read, those are compared once more that were compared meanwhile, without
 * what was not read then; where it read no memory there are none. Returns how many memories it read, and the jobs in the place of this
 * one: those of other tenants have their turn before it goes on.
 */
export async function rereadRows(services: Services, { payload, attempt, signal }: Rereading) {
  const { tenant_id, since } = payload;
  const { embedder, storage } = services;
  const embedder_id = embedder.id;
  const { below, has_read = false } = payload.embedder_id === embedder_id ? payload : ANEW;
  const { table, number } = below;
  const goOn = (of: Pick<Payload, "below" | "has_read">): Job => ({
    kind: "reread_rows",
    payload: { tenant_id, embedder_id, since, ...of },
  });
  if (table === "memory_checks") {
    const next = await storage.contradictions.recheckSince(tenant_id, since, number);
    return {
      embedded: 0,
      next: next === null ? await end(services) : [goOn({ below: { table, number: next }, has_read })],
    };
  }
  const rows = await storage[table].stale({ tenant_id, embedder_id, below: number, limit: ROWS_PER_STEP });
  const ids = rows.map(({ id }) => id);
  const refused = ids.length === 0 ? [] : await read(services, table, { tenant_id, ids, signal });
  const embedded = table === "memories" ? ids.length - refused.length : 0;
  const last = rows.length < ROWS_PER_STEP ? null : rows.at(-1);
  const place: RereadPlace = last ? { table, number: last.seq } : { table: FOLLOWING[table], number: null };
  // What was cut short may have read some before.
  const hasRead = has_read || embedded > 0 || (table === "memories" && attempt > 1);
  const isDone = place.table === "memory_checks" && !hasRead;
  const after = isDone ? await end(services) : [goOn({ below: place, has_read: hasRead })];
  return { embedded, next: [...refused.map((id) => jobOf(table, { tenant_id, ids: [id] })), ...after] };
}

/** Where a job begins again that another model had begun, which may have read some. */
const ANEW: Pick<Payload, "below" | "has_read"> = { below: { table: "documents", number: null }, has_read: true };

/** No job follows the last one; the room that the former vectors left is given back soon. */
async function end({ storage, clock }: Services): Promise<readonly Job[]> {
  await storage.jobs.bringForward("retention_schedule", clock.now() + ROOM_DELAY_MS);
  return [];
}

type Table = Exclude<RereadPlace["table"], "memory_checks">;
const FOLLOWING: Readonly<Record<Table, RereadPlace["table"]>> = { documents: "memories", memories: "memory_checks" };

/** Rows of a tenant. */
interface Some {
  readonly tenant_id: string;
  readonly ids: readonly string[];
}

/** The job that reads rows for the first time. */
const jobOf = (table: Table, { tenant_id, ids }: Some): Job =>
  table === "documents"
    ? embedDocumentsJob(tenant_id, ids)
    : { kind: "embed_memories", payload: { tenant_id, memory_ids: [...ids] } };

/** Has rows read, and returns those that were not. Throws where the model reads nothing at all, or was told to stop. */
async function read(services: Services, table: Table, { signal, ...some }: Some & Pick<Rereading, "signal">) {
  const { tenant_id, ids } = some;
  try {
    const job = jobOf(table, some);
    if (job.kind === "embed_documents") await embedDocuments(services, { ...job, signal });
    if (job.kind === "embed_memories") await embedMemories(services, { ...job, signal });
    return [];
  } catch (error) {
    const { storage, embedder } = services;
    signal.throwIfAborted();
    if (embedder.state().phase === "failed") throw error;
    // What the model refuses is told from the others by a job for each.
    if (table === "documents")
      return (await storage.documents.pending(tenant_id, ids, embedder.id)).map(({ id }) => id);
    const left = await storage.memories.pendingIds(tenant_id, ids, embedder.id);
    await storage.contradictions.recheckOnceRead(tenant_id, left);
    return left;
  }
}
