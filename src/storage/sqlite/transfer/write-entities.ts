import type { ImportOutcome, IncomingEntity, IncomingRelation } from "../../../core/ports/keeping/transfer.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { CREATED, EXISTS, refused } from "../../common/transfer/write-context.ts";
import { entityByKey, insertEntity } from "../../entities/rows.ts";
import type { Engine } from "../engine/connection.ts";
import { within } from "../units/run.ts";
import { idWithin } from "./ids-within.ts";

const OLD_NAME = `insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
  values (?, ?, ?, ?, 0, ?) on conflict do nothing`;
const ENTRY = `insert into entity_entries (entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning seq`;

/** Stores a name and what is entered of it, inside the caller's transaction; the entries that are there stay. */
export function writeEntity(
  db: Engine,
  { batch, now }: WriteContext,
  { key, entity, aliases }: IncomingEntity,
): ImportOutcome {
  const { tenant_id } = batch;
  const { entity_type, canonical_name, created_at } = entity;
  const present = within(db, tenant_id, (work) => entityByKey(work, key));
  const named =
    present ??
    within(db, tenant_id, () =>
      insertEntity({ tenant_id, entity_type, canonical_name, name_key: key, created_at: created_at ?? now }),
    );
  const enter = db.writeConnection.query<{ seq: number }, (string | number | null)[]>(ENTRY);
  const teach = db.writeConnection.query(OLD_NAME);
  let isNew = present === null;
  for (const [i, { attributes, ...entry }] of entity.entries.entries()) {
    const text = attributes && JSON.stringify(attributes);
    const { fleet_id, updated_at } = entry;
    const row = enter.get(
      named.seq,
      fleet_id,
      entry.entity_type,
      entry.canonical_name,
      text,
      entry.created_at,
      updated_at,
    );
    if (!row) continue;
    isNew = true;
    for (const alias of aliases[i] ?? []) teach.run(tenant_id, alias.key, named.seq, -row.seq, alias.name);
  }
  return isNew ? CREATED : EXISTS;
}

const SEQ_OF = "select seq from entities where tenant_id = ? and id = ?";
const RELATION = `insert into relations (id, tenant_id, fleet_id, from_seq, relation_type, to_seq, weight,
    evidence_memory_id, created_at, updated_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`;

/** Stores a relation between two names that are there, inside the caller's transaction; one of these ends and kind stays. */
export function writeRelation(
  db: Engine,
  { batch: { tenant_id } }: WriteContext,
  { relation }: IncomingRelation,
): ImportOutcome {
  const seqOf = db.writeConnection.query<{ seq: number }, [string, string]>(SEQ_OF);
  const [from, to] = [seqOf.get(tenant_id, relation.from_entity_id), seqOf.get(tenant_id, relation.to_entity_id)];
  if (!from || !to) return refused("One of its two entities is not there.");
  const { fleet_id, relation_type, weight, evidence_memory_id, created_at, updated_at } = relation;
  const id = idWithin(db, tenant_id, "relations", relation.id);
  const evidence = evidence_memory_id ? idWithin(db, tenant_id, "memories", evidence_memory_id) : null;
  const bound = [
    id,
    tenant_id,
    fleet_id ?? null,
    from.seq,
    relation_type,
    to.seq,
    weight,
    evidence,
    created_at,
    updated_at,
  ];
  const { changes } = db.writeConnection.query<unknown, (string | number | null)[]>(RELATION).run(...bound);
  return changes > 0 ? CREATED : EXISTS;
}
