import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, NewMemory, PreviousText } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { fileStoredLinks } from "../../entities/links.ts";
import type { EmbedderSpace } from "../../options.ts";
import { audienceOf, authorOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage, storedMemories } from "../accounts/usage.ts";
import type { Connections } from "../engine/connection.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { putVectors } from "../vectors/vectors.ts";
import { liveDuplicates } from "./duplicates.ts";
import { insertRow } from "./rows.ts";
import { previousText, trueVectors } from "./runs.ts";

/** Runs inside one transaction: checks each entry against what is stored and what came before it, then writes the rest. */
export function insertMemories(
  db: Connections,
  space: EmbedderSpace,
  batch: InsertBatch,
  nowMs: number,
): InsertOutcome[] {
  const room = roomLeft(db, batch, batch.entries[0]?.memory.tenant_id ?? "");
  const owners = ownerCache(db);
  const now = toTimestamp(nowMs);
  const created: StoredMemory[] = [];
  const outcomes = batch.entries.map((entry): InsertOutcome => {
    const twin = findTwin(db, entry, now);
    if (twin) return twin;
    if (created.length >= room) return { outcome: "over_limit" };
    insertOne(db, space, entry, owners(entry.memory));
    created.push(entry.memory);
    return { outcome: "created", memory: entry.memory };
  });
  insertAudit(db, batch.actor, created.map(createdEvent));
  for (const [tenant_id, rows] of Map.groupBy(created, (memory) => memory.tenant_id)) {
    changeUsage(db, tenant_id, rows.length);
  }
  insertJobs(db, batch.jobsFor(created), nowMs);
  return outcomes;
}

/** How many more rows the tenant may hold. */
export function roomLeft(db: Connections, batch: Pick<InsertBatch, "memories_limit">, tenant_id: string): number {
  return Math.max(0, batch.memories_limit - storedMemories(db.writeConnection, tenant_id));
}

/** The row that makes this entry a duplicate: the same item of the same attempt, or a live twin. */
function findTwin(db: Connections, { memory, client_request_id }: NewMemory, now: string): InsertOutcome | null {
  const earlier =
    client_request_id !== null &&
    db.writeConnection.query<Id, string[]>(SAME_REQUEST).get(memory.tenant_id, client_request_id);
  if (earlier) return { outcome: "duplicate_attempt", id: earlier.id };
  const [twin] = liveDuplicates(db, memory, now);
  return twin === undefined ? null : { outcome: "duplicate_content", id: twin };
}

interface Id {
  readonly id: string;
}

// Asked once a row, as texts: to build such a statement costs ten times what running it does.
const SAME_REQUEST = "select id from memories where tenant_id = ? and client_request_id = ?";
const LAST_OF_RUN =
  "select max(seq) as seq from memories where tenant_id = ? and run_id = ? and audience = ? and deleted_at is null";

interface Owners {
  readonly author: number;
  readonly audience: number;
}

/** Looks each owner up once a batch. An author met for the first time is at home in the fleet of his row, unless none are given. */
export function ownerCache(db: Connections, { gives_homes } = { gives_homes: true }): (memory: StoredMemory) => Owners {
  const known = new Map<string, Owners>();
  return (memory) => {
    const key = JSON.stringify([memory.tenant_id, memory.agent_id, memory.fleet_id, memory.visibility]);
    const owners = known.get(key) ?? {
      author: authorOf(db, gives_homes ? memory : { ...memory, fleet_id: null }, memory.created_at),
      audience: audienceOf(db, memory),
    };
    known.set(key, owners);
    return owners;
  };
}

/** Stores a row with its words, links and vectors, inside the caller's transaction. Returns the row's number. */
export function insertOne(db: Connections, space: EmbedderSpace, entry: NewMemory, owners: Owners): number {
  const { memory, vectors, client_request_id } = entry;
  const previous_seq = lastOfRun(db, memory, owners);
  const seq = insertRow(db, { ...memory, ...owners, client_request_id, previous_seq });
  putWords(db, { ...memory, ...owners, seq });
  within(db, memory.tenant_id, (work) =>
    fileStoredLinks(work, [{ row: { ...memory, ...owners, seq }, links: memory.entity_links }]),
  );
  if (vectors) putVectors(db, space, { ...memory, ...owners, seq }, trueVectors(db, { previous_seq }, vectors));
  return seq;
}

/** The newest row of the run that the same readers see. */
function lastOfRun(db: Connections, { tenant_id, run_id }: StoredMemory, { audience }: Owners): number | null {
  if (run_id === null) return null;
  const newest = db.writeConnection.query<{ seq: number | null }, [string, string, number]>(LAST_OF_RUN);
  return newest.get(tenant_id, run_id, audience)?.seq ?? null;
}

/** The newest row of the draft's run that has the same readers. */
export const lastTextOfRun = (db: Connections, draft: StoredMemory): PreviousText | null =>
  db.transaction(() => previousText(db, lastOfRun(db, draft, { author: 0, audience: audienceOf(db, draft) })));

const createdEvent = (memory: StoredMemory) => ({
  tenant_id: memory.tenant_id,
  at: memory.created_at,
  action: "memory.create",
  target_id: memory.id,
  before: null,
  after: { status: memory.status, content_hash: memory.content_hash },
  reason: null,
});
