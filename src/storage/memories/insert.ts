import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, NewMemory } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { audienceOf, authorOf } from "../accounts/audiences.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage, storedMemories } from "../accounts/usage.ts";
import { fileStoredLinks } from "../entities/links.ts";
import { insertJobs } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { isLive, liveTwins, toldText } from "./duplicates.ts";
import type { MemoryRow } from "./rows.ts";
import { insertRows } from "./rows.ts";
import { trueVectors } from "./runs.ts";

/** Runs inside one transaction: checks each entry against what is stored and what came before it, then writes the rest. */
export function* insertMemories(work: ChangeWork, batch: InsertBatch, nowMs: number): Unit<InsertOutcome[]> {
  const room = yield* roomLeft(work, batch);
  const now = toTimestamp(nowMs);
  const known = yield* knownOf(work, batch.entries, now);
  const created: NewMemory[] = [];
  const outcomes = batch.entries.map((entry): InsertOutcome => {
    const twin = twinOf(known, entry);
    if (twin) return twin;
    if (created.length >= room) return { outcome: "over_limit" };
    created.push(entry);
    remember(known, entry, now);
    return { outcome: "created", memory: entry.memory };
  });
  yield* insertAll(work, created);
  const stored = created.map(({ memory }) => memory);
  yield* insertAudit(work, batch.actor, stored.map(createdEvent));
  if (stored.length > 0) yield* changeUsage(work, stored.length);
  yield* insertJobs(work, batch.jobsFor(stored), nowMs);
  return outcomes;
}

/** How many more rows the tenant may hold. */
export function* roomLeft(
  { tenant_id }: TenantWork,
  { memories_limit }: Pick<InsertBatch, "memories_limit">,
): Unit<number> {
  return Math.max(0, memories_limit - (yield* storedMemories(tenant_id)));
}

/** Ids of rows that entries may be duplicates of, those that come before them in their batch among them. */
interface Known {
  /** By the name of the item within its attempt. */
  readonly requests: Map<string, string>;
  /** Of live rows, by what they tell. */
  readonly twins: Map<string, string>;
}

/** What is stored already of some entries. */
function* knownOf(work: TenantWork, entries: readonly NewMemory[], now: string): Unit<Known> {
  const named = entries.flatMap(({ client_request_id }) => client_request_id ?? []);
  const stored =
    named.length === 0
      ? []
      : yield* rows<{ id: string; name: string }>(sql`select id, client_request_id as name from memories
          where tenant_id = ${work.tenant_id} and ${work.dialect.isIn(sql`client_request_id`, named)}`);
  const told = entries.map(({ memory }) => memory);
  const twins = new Map<string, string>();
  for (const [text, [id]] of yield* liveTwins(work, told, now)) if (id !== undefined) twins.set(text, id);
  return { requests: new Map(stored.map(({ id, name }) => [name, id])), twins };
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

/** Whether authors get homes by being met: the fleet of the row that an author first writes. */
interface Homes {
  readonly gives_homes: boolean;
}

/** Stores rows with their words, links and vectors, inside the caller's transaction. Returns the rows with their numbers. */
export function* insertAll(
  work: ChangeWork,
  entries: readonly NewMemory[],
  homes: Homes = { gives_homes: true },
): Unit<MemoryRow[]> {
  if (entries.length === 0) return [];
  const { index } = work;
  const stored = yield* numbered(work, entries, homes);
  yield* insertRows(work, stored);
  yield* index.putWords(stored);
  yield* fileStoredLinks(
    work,
    stored.map((row) => ({ row, links: row.entity_links })),
  );
  const read = stored.flatMap((row, i) => {
    const vectors = entries[i]?.vectors;
    return vectors ? [{ row, vectors }] : [];
  });
  yield* index.putVectors(yield* trueVectors(work, read));
  return stored;
}

/** Gives each row its number, its owners' numbers, and the row that it follows in its run. */
function* numbered(work: TenantWork, entries: readonly NewMemory[], homes: Homes): Unit<MemoryRow[]> {
  const numbers = yield* work.dialect.newNumbers("memories", entries.length);
  const owners = new Map<string, Owners>();
  const lastOf = new Map<string, number | null>();
  const numberedRows: MemoryRow[] = [];
  for (const [i, { memory, client_request_id }] of entries.entries()) {
    const seq = numbers[i];
    if (seq === undefined) throw new Error("The database gave too few numbers.");
    const { run_id } = memory;
    const key = JSON.stringify([memory.agent_id, memory.fleet_id, memory.visibility]);
    const own = owners.get(key) ?? (yield* ownersOf(work, memory, homes));
    owners.set(key, own);
    const run = run_id === null ? null : `${own.audience} ${run_id}`;
    const before = run === null ? null : lastOf.get(run);
    const previous_seq = before === undefined ? yield* lastInRun(work, run_id, own.audience) : before;
    if (run !== null && memory.deleted_at === null) lastOf.set(run, seq);
    numberedRows.push({ ...memory, ...own, client_request_id, seq, previous_seq });
  }
  return numberedRows;
}

type Owners = Pick<MemoryRow, "author" | "audience">;

function* ownersOf(work: TenantWork, memory: StoredMemory, { gives_homes }: Homes): Unit<Owners> {
  const author = gives_homes ? memory : { ...memory, fleet_id: null };
  return { author: yield* authorOf(work, author, memory.created_at), audience: yield* audienceOf(work, memory) };
}

/** The newest row of the run that the same readers see. */
function* lastInRun({ tenant_id }: TenantWork, run_id: string | null, audience: number): Unit<number | null> {
  if (run_id === null) return null;
  const newest = yield* row<{ seq: number | null }>(sql`select max(seq) as seq from memories
    where tenant_id = ${tenant_id} and run_id = ${run_id} and audience = ${audience} and deleted_at is null`);
  return newest?.seq ?? null;
}

const createdEvent = (memory: StoredMemory) => ({
  at: memory.created_at,
  action: "memory.create",
  target_id: memory.id,
  before: null,
  after: { status: memory.status, content_hash: memory.content_hash },
  reason: null,
});
