import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type {
  EntityChange,
  Guard,
  RelationChange,
  StoredEntity,
  StoredRelation,
} from "../../../core/ports/entity-store.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import { auditedEntry, enteredBefore } from "../../common/entity-entries.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Connections } from "../engine/connection.ts";
import { attributesOf, changeEntry, entriesOf, insertEntry, teachByHand } from "./entries.ts";
import { enteredFor, entityByKey, insertEntity } from "./rows.ts";

/** Who writes, and what keeps it from taking what all share. */
interface Writer {
  readonly actor: Actor;
  readonly guard: Guard;
}

/** Creates or changes what is entered of a name, with its other names and audit row, inside the caller's transaction. */
export function upsertEntity(
  db: Connections,
  clock: Clock,
  change: EntityChange,
  { actor, guard }: Writer,
): StoredEntity {
  const { tenant_id, entity_type, canonical_name, key } = change;
  const now = toTimestamp(clock.now());
  const entity =
    knownAs(db, change) ?? insertEntity(db, { tenant_id, entity_type, canonical_name, name_key: key, created_at: now });
  const current = enteredBefore(entriesOf(db, entity.seq), change, guard);
  // By another name of it, what it is called stays.
  const isOtherName = current !== null && nameKey(current.canonical_name) !== key;
  const { canonical_name: known_name, entity_type: known_type } = current ?? change;
  const entered = isOtherName ? { ...change, canonical_name: known_name, entity_type: known_type } : change;
  const entry = current ? changeEntry(db, current, entered, now) : insertEntry(db, entity.seq, change, now);
  teachByHand(
    db,
    entity,
    entry,
    change.aliases.filter((alias) => alias.key !== key),
  );
  insertAudit(db, actor, [
    {
      tenant_id,
      at: now,
      // What only memories had told of is new to whoever enters it.
      action: current ? "entity.update" : "entity.create",
      target_id: entity.id,
      before: current && auditedEntry(current),
      after: auditedEntry(entry),
      reason: null,
    },
  ]);
  const { seq: _seq, ...told } = entry;
  return { ...told, id: entity.id, tenant_id, attributes: attributesOf(entry) };
}

/** The entity that a name means to whoever enters it: the one of that name, unless it was entered as another name of one. */
function knownAs(db: Connections, { tenant_id, key, fleet_id, home }: EntityChange): EntityRow | null {
  const own = fleet_id ?? home;
  const bare = entityByKey(db, tenant_id, key);
  const isEntered = bare && entriesOf(db, bare.seq).some((entry) => entry.fleet_id === null || entry.fleet_id === own);
  return isEntered ? bare : (enteredFor(db, { tenant_id, key, fleet_id: own }) ?? bare);
}

interface RelationRow {
  readonly fleet_id: string | null;
  readonly id: string;
  readonly weight: number;
  readonly evidence_memory_id: string | null;
}

/** Creates or changes the relation between two entities of the tenant, with its audit row. */
export function upsertRelation(
  db: Connections,
  clock: Clock,
  change: RelationChange,
  { actor, guard }: Writer,
): StoredRelation {
  const { tenant_id, fleet_id, from_entity_id, to_entity_id, relation_type, weight, evidence_memory_id } = change;
  const now = toTimestamp(clock.now());
  const seqOf = db.writeConnection.query<{ seq: number }, [string, string]>(
    "select seq from entities where tenant_id = ? and id = ?",
  );
  const ends = [seqOf.get(tenant_id, from_entity_id)?.seq ?? null, seqOf.get(tenant_id, to_entity_id)?.seq ?? null];
  const entered = db.writeConnection
    .query<RelationRow, (string | number | null)[]>(
      `select fleet_id, id, weight, evidence_memory_id from relations
      where tenant_id = ? and from_seq = ? and to_seq = ? and relation_type = ?`,
    )
    .all(tenant_id, ...ends, relation_type);
  const before = enteredBefore(entered, change, guard);
  const stored: RelationRow = {
    id: before?.id ?? newId(clock),
    fleet_id: fleet_id ?? before?.fleet_id ?? null,
    weight,
    evidence_memory_id: evidence_memory_id ?? before?.evidence_memory_id ?? null,
  };
  db.writeConnection
    .query(
      `insert into relations (id, tenant_id, fleet_id, from_seq, relation_type, to_seq, weight, evidence_memory_id,
        created_at, updated_at)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
      on conflict (id) do update set fleet_id = excluded.fleet_id, weight = excluded.weight,
        evidence_memory_id = excluded.evidence_memory_id, updated_at = excluded.updated_at`,
    )
    .run(
      stored.id,
      tenant_id,
      stored.fleet_id,
      ends[0] ?? null,
      relation_type,
      ends[1] ?? null,
      weight,
      stored.evidence_memory_id,
      now,
    );
  insertAudit(db, actor, [
    {
      tenant_id,
      at: now,
      action: before ? "relation.update" : "relation.create",
      target_id: stored.id,
      before: before && { weight: before.weight, evidence_memory_id: before.evidence_memory_id },
      after: { from_entity_id, relation_type, to_entity_id, weight: stored.weight },
      reason: null,
    },
  ]);
  return {
    id: stored.id,
    from_entity_id,
    relation_type,
    to_entity_id,
    weight: stored.weight,
    evidence_memory_id: stored.evidence_memory_id,
  };
}
