import type { Clock } from "../../kernel/clock.ts";
import { toTimestamp } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { mergeTop } from "../../kernel/json.ts";
import type { EntityChange, Guard, RelationChange, StoredEntity, StoredRelation } from "../../ports/entity-store.ts";
import type { Actor } from "../../ports/memory-store.ts";
import { insertAudit } from "./audit.ts";
import type { Connections } from "./connection.ts";
import { BY_HAND } from "./entity-resolve.ts";
import type { EntityRow } from "./entity-rows.ts";
import { entityByKey, insertEntity, toEntity } from "./entity-rows.ts";

/** Who writes, and what keeps it from changing what was entered before. */
interface Writer {
  readonly actor: Actor;
  readonly guard: Guard;
}

/** Creates or changes the entity of a name, with its other names and audit row, inside the caller's transaction. */
export function upsertEntity(
  at: Connections,
  clock: Clock,
  change: EntityChange,
  { actor, guard }: Writer,
): StoredEntity {
  const now = toTimestamp(clock.now());
  const current = entityByKey(at, change.tenant_id, change.key);
  const entered = current?.by_hand === 1 ? current : null;
  if (entered) guard(entered);
  const row = current ? changeRow(at, current, change, now) : createRow(at, change, now);
  const teach = at.writer.query(
    `insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    values (?, ?, ?, ${BY_HAND}, ${BY_HAND}, ?) on conflict do update set name = excluded.name`,
  );
  for (const { key, name } of change.aliases) {
    if (key !== change.key) teach.run(change.tenant_id, key, row.seq, name);
  }
  insertAudit(at, actor, [
    {
      tenant_id: change.tenant_id,
      at: now,
      // What only memories had told of is new to whoever enters it.
      action: entered ? "entity.update" : "entity.create",
      target_id: row.id,
      before: entered && audited(entered),
      after: audited(row),
      reason: null,
    },
  ]);
  return toEntity(row);
}

const audited = ({ entity_type, canonical_name, fleet_id }: EntityRow): JsonObject => ({
  entity_type,
  canonical_name,
  fleet_id,
});

const createRow = (at: Connections, change: EntityChange, now: string): EntityRow => {
  const { tenant_id, fleet_id, entity_type, canonical_name, key, attributes } = change;
  return insertEntity(at, {
    tenant_id,
    fleet_id,
    entity_type,
    canonical_name,
    name_key: key,
    attributes,
    by_hand: true,
    now,
  });
};

function changeRow(at: Connections, current: EntityRow, change: EntityChange, now: string): EntityRow {
  const { attributes } = toEntity(current);
  const merged = change.attributes ? mergeTop(attributes, change.attributes) : attributes;
  if (change.attributes) change.requireFit?.(merged);
  const row: EntityRow = {
    ...current,
    fleet_id: change.fleet_id ?? current.fleet_id,
    entity_type: change.entity_type,
    canonical_name: change.canonical_name,
    attributes: merged && JSON.stringify(merged),
    by_hand: 1,
    created_at: current.by_hand === 1 ? current.created_at : now,
    updated_at: now,
  };
  at.writer
    .query(
      `update entities set fleet_id = ?, entity_type = ?, canonical_name = ?, attributes = ?, by_hand = 1,
        created_at = ?, updated_at = ? where seq = ?`,
    )
    .run(row.fleet_id, row.entity_type, row.canonical_name, row.attributes, row.created_at, row.updated_at, row.seq);
  return row;
}

interface RelationRow {
  readonly fleet_id: string | null;
  readonly id: string;
  readonly weight: number;
  readonly evidence_memory_id: string | null;
}

/** Creates or changes the relation between two entities of the tenant, with its audit row. */
export function upsertRelation(
  at: Connections,
  clock: Clock,
  change: RelationChange,
  { actor, guard }: Writer,
): StoredRelation {
  const { tenant_id, fleet_id, from_entity_id, to_entity_id, relation_type, weight, evidence_memory_id } = change;
  const now = toTimestamp(clock.now());
  const seqOf = at.writer.query<{ seq: number }, [string, string]>(
    "select seq from entities where tenant_id = ? and id = ?",
  );
  const ends = [seqOf.get(tenant_id, from_entity_id)?.seq ?? null, seqOf.get(tenant_id, to_entity_id)?.seq ?? null];
  const before = at.writer
    .query<RelationRow, (string | number | null)[]>(
      `select fleet_id, id, weight, evidence_memory_id from relations
      where tenant_id = ? and from_seq = ? and to_seq = ? and relation_type = ?`,
    )
    .get(tenant_id, ...ends, relation_type);
  if (before) guard(before);
  const stored = at.writer
    .query<RelationRow, (string | number | null)[]>(
      `insert into relations (id, tenant_id, fleet_id, from_seq, relation_type, to_seq, weight, evidence_memory_id,
        created_at, updated_at)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
      on conflict (tenant_id, from_seq, to_seq, relation_type) do update set
        fleet_id = coalesce(excluded.fleet_id, fleet_id), weight = excluded.weight,
        evidence_memory_id = coalesce(excluded.evidence_memory_id, evidence_memory_id), updated_at = excluded.updated_at
      returning fleet_id, id, weight, evidence_memory_id`,
    )
    .get(
      newId(clock),
      tenant_id,
      fleet_id,
      ends[0] ?? null,
      relation_type,
      ends[1] ?? null,
      weight,
      evidence_memory_id,
      now,
    );
  if (!stored) throw new Error("The relation just written cannot be read.");
  insertAudit(at, actor, [
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
