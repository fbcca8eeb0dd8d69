import { sql } from "drizzle-orm";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, NewMemory, PreviousText } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { fileStoredLinks } from "../../entities/links.ts";
import { audienceOf, authorOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { changeUsage, storedMemories } from "../accounts/usage.ts";
import { textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { putVectors } from "../vectors/vectors.ts";
import { isLive, liveTwins, toldText } from "./duplicates.ts";
import type { MemoryRow } from "./rows.ts";
import { insertRows, newNumbers } from "./rows.ts";
import { previousText, trueVectors } from "./runs.ts";

/** Runs inside one transaction: checks each entry against what is stored and what came before it, then writes the rest. */
export async function insertMemories(work: TenantWork, batch: InsertBatch, nowMs: number): Promise<InsertOutcome[]> {
  const room = await roomLeft(work, batch);
  const now = toTimestamp(nowMs);
  const known = await knownOf(work, batch.entries, now);
  const created: NewMemory[] = [];
  const outcomes = batch.entries.map((entry): InsertOutcome => {
    const twin = twinOf(known, entry);
    if (twin) return twin;
    if (created.length >= room) return { outcome: "over_limit" };
    created.push(entry);
    remember(known, entry, now);
    return { outcome: "created", memory: entry.memory };
  });
  await insertAll(work, created);
  const rows = created.map(({ memory }) => memory);
  await insertAudit(work, batch.actor, rows.map(createdEvent));
  if (rows.length > 0) await changeUsage(work, rows.length);
  await insertJobs(work, batch.jobsFor(rows), nowMs);
  return outcomes;
}

/** How many more rows the tenant may hold. */
export async function roomLeft(work: TenantWork, { memories_limit }: Pick<InsertBatch, "memories_limit">) {
  return Math.max(0, memories_limit - (await storedMemories(work, work.tenant_id)));
}

/** Ids of rows that entries may be duplicates of, those that come before them in their batch among them. */
interface Known {
  /** By the name of the item within its attempt. */
  readonly requests: Map<string, string>;
  /** Of live rows, by what they tell. */
  readonly twins: Map<string, string>;
}

/** What is stored already of some entries. */
async function knownOf(work: TenantWork, entries: readonly NewMemory[], now: string): Promise<Known> {
  const named = entries.flatMap(({ client_request_id }) => client_request_id ?? []);
  const stored =
    named.length === 0
      ? []
      : await work.rows<{ id: string; client_request_id: string }>(sql`select id, client_request_id from memories
          where tenant_id = ${work.tenant_id} and client_request_id = any(${textArray(named)})`);
  const told = entries.map(({ memory }) => memory);
  const twins = new Map<string, string>();
  for (const [text, [id]] of await liveTwins(work, told, now)) if (id !== undefined) twins.set(text, id);
  return { requests: new Map(stored.map(({ id, client_request_id }) => [client_request_id, id])), twins };
}

/** The row that makes an entry a duplicate: the same item of the same attempt, or a live twin. */
function twinOf({ requests, twins }: Known, { memory, client_request_id }: NewMemory): InsertOutcome | null {
  const earlier = client_request_id === null ? undefined : requests.get(client_request_id);
  if (earlier !== undefined) return { outcome: "duplicate_attempt", id: earlier };
  const twin = twins.get(toldText(memory));
  return twin === undefined ? null : { outcome: "duplicate_content", id: twin };
}

function remember({ requests, twins }: Known, { memory, client_request_id }: NewMemory, now: string): void {
  if (client_request_id !== null) requests.set(client_request_id, memory.id);
  if (memory.deleted_at === null && isLive(memory, now)) twins.set(toldText(memory), memory.id);
}

interface Owners {
  readonly author: number;
  readonly audience: number;
}

/** Whether authors get homes by being met. */
interface Homes {
  readonly gives_homes: boolean;
}

/** Looks each owner up once a batch. An author met for the first time is at home in the fleet of his row, unless none are given. */
export function ownerCache(work: TenantWork, { gives_homes }: Homes): (memory: StoredMemory) => Promise<Owners> {
  const known = new Map<string, Owners>();
  return async (memory) => {
    const key = JSON.stringify([memory.agent_id, memory.fleet_id, memory.visibility]);
    const owners = known.get(key) ?? {
      author: await authorOf(work, gives_homes ? memory : { ...memory, fleet_id: null }, memory.created_at),
      audience: await audienceOf(work, memory),
    };
    known.set(key, owners);
    return owners;
  };
}

/** Stores rows with their words, links and vectors, inside the caller's transaction. Returns the rows with their numbers. */
export async function insertAll(
  work: TenantWork,
  entries: readonly NewMemory[],
  homes: Homes = { gives_homes: true },
): Promise<MemoryRow[]> {
  if (entries.length === 0) return [];
  const rows = await numbered(work, entries, ownerCache(work, homes));
  await insertRows(work, rows);
  await putWords(work, rows);
  const links = rows.map((row) => ({ row, links: row.entity_links }));
  await within(work, (unit) => fileStoredLinks(unit, links));
  const read = rows.flatMap((row, i) => {
    const vectors = entries[i]?.vectors;
    return vectors ? [{ row, vectors }] : [];
  });
  await putVectors(work, work.space, await trueVectors(work, read));
  return rows;
}

/** Gives each row its number, its owners' numbers, and the row that it follows in its run. */
async function numbered(
  work: TenantWork,
  entries: readonly NewMemory[],
  ownersOf: ReturnType<typeof ownerCache>,
): Promise<MemoryRow[]> {
  const numbers = await newNumbers(work, entries.length);
  const lastOf = new Map<string, number | null>();
  const rows: MemoryRow[] = [];
  for (const [i, { memory, client_request_id }] of entries.entries()) {
    const seq = numbers[i];
    if (seq === undefined) throw new Error("The database gave too few numbers.");
    const owners = await ownersOf(memory);
    const run = JSON.stringify([memory.run_id, owners.audience]);
    const before = lastOf.get(run);
    const previous_seq = before === undefined ? await lastOfRun(work, memory.run_id, owners.audience) : before;
    if (memory.run_id !== null && memory.deleted_at === null) lastOf.set(run, seq);
    const entity_links = [...memory.entity_links];
    rows.push({ ...memory, ...owners, entity_links, client_request_id, seq, previous_seq });
  }
  return rows;
}

/** The newest row of the run that the same readers see. */
async function lastOfRun(work: TenantWork, run_id: string | null, audience: number): Promise<number | null> {
  if (run_id === null) return null;
  const row = await work.row<{ seq: number | null }>(sql`select max(seq) as seq from memories
    where tenant_id = ${work.tenant_id} and run_id = ${run_id} and audience = ${audience} and deleted_at is null`);
  return row?.seq ?? null;
}

/** The newest row of the draft's run that has the same readers. */
export async function lastTextOfRun(work: TenantWork, draft: StoredMemory): Promise<PreviousText | null> {
  return previousText(work, await lastOfRun(work, draft.run_id, await audienceOf(work, draft)));
}

const createdEvent = (memory: StoredMemory) => ({
  at: memory.created_at,
  action: "memory.create",
  target_id: memory.id,
  before: null,
  after: { status: memory.status, content_hash: memory.content_hash },
  reason: null,
});
