import { sql } from "drizzle-orm";
import type { ImportOutcome, IncomingMemory } from "../../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import { memoryEvent } from "../../common/transfer/events.ts";
import type { Present } from "../../common/transfer/present.ts";
import { idBeside, outcomeBeside } from "../../common/transfer/present.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { refused } from "../../common/transfer/write-context.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { changeUsage } from "../accounts/usage.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { insertAll } from "../memories/insert.ts";

/** Stores memories as they are, inside the caller's transaction: as if one after the other, though in few statements. */
export function memoryWriter(work: TenantWork, { batch, now, room }: WriteContext) {
  const created: IncomingMemory[] = [];
  const write = async (incoming: readonly IncomingMemory[]): Promise<ImportOutcome[]> => {
    // What it supersedes, the findings tell that come after it.
    const wanted = incoming.map((one) => ({ ...one, memory: { ...one.memory, supersedes_id: null } }));
    const known = await presentAmong(work, wanted, now);
    const written: IncomingMemory[] = [];
    const outcomes = wanted.map((sent): ImportOutcome => {
      const one = { ...sent, memory: { ...sent.memory, id: known.idOf(sent) } };
      const present = known.presentOne(one.memory);
      if (present) return present;
      if (created.length + written.length >= room) return refused("The tenant holds as many memories as it may.");
      known.add(one.memory);
      written.push(one);
      return { outcome: "created", id: one.memory.id, error: null };
    });
    await insertAllOf(work, written, batch);
    created.push(...written);
    return outcomes;
  };
  const finish = async (): Promise<readonly IncomingMemory[]> => {
    if (created.length > 0) await changeUsage(work, created.length);
    await insertAudit(
      work,
      batch.actor,
      created.map(({ memory }) => memoryEvent(memory, now)),
    );
    return created;
  };
  return { write, finish };
}

const twinMark = ({ content_hash, agent_id, visibility }: Twin): string =>
  JSON.stringify([content_hash, agent_id, visibility]);
type Twin = Pick<StoredMemory, "content_hash" | "agent_id" | "visibility">;

/** What is there in place of memories: themselves, or for one that holds now a twin that does too. */
async function presentAmong(work: TenantWork, incoming: readonly IncomingMemory[], now: string) {
  const ids = incoming.flatMap(({ memory, beside_id }) => (beside_id === null ? memory.id : [memory.id, beside_id]));
  const hashes = incoming.map(({ memory }) => memory.content_hash);
  const { tenant_id } = work;
  const stored = await work.rows<Present & Pick<StoredMemory, "id">>(sql`
    select id, content_hash, deleted_at, fleet_id from memories
    where tenant_id = ${tenant_id} and id = any(${textArray(ids)})`);
  const live = await work.rows<Twin & Pick<StoredMemory, "id">>(sql`
    select id, content_hash, agent_id, visibility from memories
    where tenant_id = ${tenant_id} and content_hash = any(${textArray(hashes)}) and deleted_at is null
      and status = any(${textArray(LIVE_STATUSES)}) and (expires_at is null or expires_at > ${now})
    order by seq desc`);
  const byId = new Map<string, Present>(stored.map((row) => [row.id, row]));
  // The oldest comes last, and stays.
  const byText = new Map(live.map((row) => [twinMark(row), row.id]));
  const isLive = ({ status, expires_at }: StoredMemory): boolean =>
    LIVE_STATUSES.includes(status) && (expires_at === null || expires_at > now);
  return {
    idOf: (one: IncomingMemory): string => idBeside(one, (id) => byId.get(id)),
    presentOne: (memory: StoredMemory): ImportOutcome | null => {
      const itself = byId.get(memory.id);
      if (itself) return outcomeBeside(itself, memory);
      const twin = isLive(memory) ? byText.get(twinMark(memory)) : undefined;
      return twin === undefined ? null : { outcome: "duplicate", id: twin, error: null };
    },
    add: (memory: StoredMemory): void => {
      byId.set(memory.id, memory);
      if (isLive(memory)) byText.set(twinMark(memory), memory.id);
    },
  };
}

/** Those that were compared count as such, so that nothing is found of them a second time. */
async function insertAllOf(
  work: TenantWork,
  written: readonly IncomingMemory[],
  batch: WriteContext["batch"],
): Promise<void> {
  const { tenant_id } = work;
  const entries = written.map(({ memory }) => ({ memory, vectors: null, client_request_id: null }));
  const rows = await insertAll(work, entries, batch);
  const seqOf = new Map(rows.map(({ id, seq }) => [id, seq]));
  const kept = written.filter(({ checked_at, former_status }) => checked_at !== null || former_status !== null);
  if (kept.length === 0) return;
  const checks = kept.map(({ memory, checked_at, former_status, claim }) => ({
    memory_seq: seqOf.get(memory.id),
    content_hash: checked_at === null ? null : memory.content_hash,
    checked_at,
    former_status,
    fleet_id: memory.fleet_id ?? "",
    ...(checked_at === null ? null : claim),
  }));
  const values = sql`json_to_recordset(${recordsValue(checks)}) as c (memory_seq bigint, content_hash text,
    checked_at text, former_status text, fleet_id text, subject_key text, predicate text)`;
  await work.run(sql`insert into memory_checks
      (tenant_id, memory_seq, content_hash, checked_at, embedded, former_status)
    select ${tenant_id}, c.memory_seq, c.content_hash, c.checked_at, c.checked_at is not null, c.former_status
    from ${values}`);
  await work.run(sql`insert into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
    select ${tenant_id}, c.fleet_id, c.subject_key, c.predicate, c.memory_seq from ${values}
    where c.subject_key is not null on conflict do nothing`);
}
