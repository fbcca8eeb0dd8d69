import { sql } from "drizzle-orm";
import type { ImportOutcome, IncomingMemory } from "../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { changeUsage, storedMemories } from "../accounts/usage.ts";
import { isLive, liveTwins, toldText } from "../memories/duplicates.ts";
import { insertAll } from "../memories/insert.ts";
import type { Columns } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { AuditEvent, ChangeWork } from "../units/work.ts";
import { idsWithin } from "./ids-within.ts";
import type { Batch } from "./outcomes.ts";
import { refused } from "./outcomes.ts";

/** Stores memories as they are, inside the caller's transaction: as if one after the other, though in few statements. */
export function memoryWriter(work: ChangeWork, { batch, now }: Batch) {
  const created: IncomingMemory[] = [];
  function* write(sent: readonly IncomingMemory[]): Unit<ImportOutcome[]> {
    const room = batch.memories_limit - (yield* storedMemories(work.tenant_id));
    const incoming = yield* within(work, sent);
    const known = yield* presentAmong(work, incoming, now);
    const before = created.length;
    const outcomes = incoming.map((one): ImportOutcome => {
      const memory = { ...one.memory, id: idBeside(one, known.byId, batch) };
      const present = known.inPlaceOf(memory);
      if (present) return present;
      if (created.length >= room) return refused("The tenant holds as many memories as it may.");
      known.add(memory);
      created.push({ ...one, memory });
      return { outcome: "created", id: memory.id, error: null, ...elsewhere(one, memory, known.byId) };
    });
    yield* insert(work, created.slice(before), batch);
    return outcomes;
  }
  /** Counts what was stored. */
  const finish = (): Unit<void> => changeUsage(work, created.length);
  return { created, write, finish };
}

/** Memories under the ids that they have in this tenant. What they supersede, the findings tell that come after them. */
function* within(work: ChangeWork, incoming: readonly IncomingMemory[]): Unit<IncomingMemory[]> {
  const idOf = yield* idsWithin(
    work,
    "memories",
    incoming.map(({ memory }) => memory.id),
  );
  return incoming.map((one) => ({ ...one, memory: { ...one.memory, id: idOf(one.memory.id), supersedes_id: null } }));
}

/** What is there under an id. */
type Present = Pick<StoredMemory, "id" | "content_hash" | "deleted_at" | "fleet_id">;

/** The id that a memory is looked for and stored under: its own, unless that names a memory of another project. */
function idBeside(
  { memory, beside_id }: IncomingMemory,
  byId: ReadonlyMap<string, Present>,
  { shared_stays }: Pick<Batch["batch"], "shared_stays">,
): string {
  if (beside_id === null) return memory.id;
  if (byId.has(beside_id)) return beside_id;
  const itself = byId.get(memory.id);
  if (!itself || itself.fleet_id === memory.fleet_id) return memory.id;
  // Told in every project already, a second one would say it twice in this one.
  const stays = shared_stays && itself.fleet_id === null && itself.deleted_at === null;
  return stays ? memory.id : beside_id;
}

/** What an import before had brought of a memory into another project, where it is stored beside that. */
function elsewhere(
  { memory: { id } }: IncomingMemory,
  stored: StoredMemory,
  byId: ReadonlyMap<string, Present>,
): Pick<ImportOutcome, "beside"> {
  const itself = stored.id === id ? undefined : byId.get(id);
  return itself && itself.deleted_at === null ? { beside: { id, fleet_id: itself.fleet_id } } : {};
}

/** What becomes of a memory whose id is there already. */
function outcomeBeside(itself: Present, { id, content_hash, fleet_id }: StoredMemory): ImportOutcome {
  const found = { id, fleet_id: itself.fleet_id };
  if (itself.deleted_at !== null) return { outcome: "deleted", ...found, error: null };
  if (itself.content_hash === content_hash) return { outcome: "exists", ...found, error: null };
  const home = itself.fleet_id === null ? "no project" : `project ${itself.fleet_id}`;
  return { outcome: "different", ...found, error: itself.fleet_id === fleet_id ? null : `it is in ${home} here` };
}

/** What is there in place of memories: themselves, or for one that holds now a twin that does too. */
function* presentAmong(work: ChangeWork, incoming: readonly IncomingMemory[], now: string) {
  const { tenant_id, dialect } = work;
  const ids = incoming.flatMap(({ memory, beside_id }) => (beside_id === null ? memory.id : [memory.id, beside_id]));
  const told = incoming.map(({ memory }) => memory);
  const stored = yield* rows<Present>(sql`select m.id, m.content_hash, m.deleted_at, m.fleet_id from memories m
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.id`, ids)}`);
  const live = yield* liveTwins(work, told, now);
  const byId = new Map(stored.map((one) => [one.id, one]));
  const twins = new Map([...live].map(([text, ids]) => [text, ids[0]]));
  return {
    byId,
    inPlaceOf: (memory: StoredMemory): ImportOutcome | null => {
      const itself = byId.get(memory.id);
      if (itself) return outcomeBeside(itself, memory);
      const twin = isLive(memory, now) ? twins.get(toldText(memory)) : undefined;
      return twin === undefined ? null : { outcome: "duplicate", id: twin, error: null, fleet_id: memory.fleet_id };
    },
    add: (memory: StoredMemory): void => {
      byId.set(memory.id, memory);
      if (isLive(memory, now)) twins.set(toldText(memory), memory.id);
    },
  };
}

const HELD: Columns = { seq: "int", content_hash: "text", checked_at: "text", former_status: "text" };
const CLAIM: Columns = {
  ...{ tenant_id: "text", fleet_id: "text", subject_key: "text", predicate: "text" },
  memory_seq: "int",
};

/** Those that were compared count as such, so that nothing is found of them a second time. */
function* insert(
  work: ChangeWork,
  written: readonly IncomingMemory[],
  homes: Pick<Batch["batch"], "gives_homes">,
): Unit<void> {
  if (written.length === 0) return;
  const { tenant_id, dialect } = work;
  const entries = written.map(({ memory }) => ({ memory, vectors: null, client_request_id: null }));
  const stored = yield* insertAll(work, entries, homes);
  const seqOf = new Map(stored.map(({ id, seq }) => [id, seq]));
  const checks = written
    .filter(({ checked_at, former_status }) => checked_at !== null || former_status !== null)
    .map(({ memory, checked_at, former_status }) => {
      const content_hash = checked_at === null ? null : memory.content_hash;
      return { seq: seqOf.get(memory.id), content_hash, checked_at, former_status };
    });
  if (checks.length > 0)
    yield* run(sql`insert into memory_checks
        (${dialect.tenantColumn}memory_seq, content_hash, checked_at, embedded, former_status)
      select ${dialect.tenantValue(tenant_id)}c.seq, c.content_hash, c.checked_at, c.checked_at is not null, c.former_status
      from ${dialect.records(checks, "c", HELD)}`);
  const claims = written.flatMap(({ memory, checked_at, claim }) =>
    checked_at === null || claim === null
      ? []
      : [{ ...claim, tenant_id, fleet_id: memory.fleet_id ?? "", memory_seq: seqOf.get(memory.id) }],
  );
  if (claims.length > 0) yield* dialect.insert("memory_claims", claims, CLAIM);
}

/** What the audit keeps of a memory that was stored. */
export const memoryEvent = ({ id, status, content_hash }: StoredMemory, at: string): AuditEvent => ({
  ...{ at, action: "memory.import", target_id: id, before: null, reason: null },
  after: { status, content_hash },
});
