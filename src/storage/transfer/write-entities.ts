import { sql } from "drizzle-orm";
import type { ImportOutcome, IncomingEntity, IncomingRelation } from "../../core/ports/keeping/transfer.ts";
import { entityId } from "../entities/rows.ts";
import type { Columns } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import { idsWithin } from "./ids-within.ts";
import type { Batch } from "./outcomes.ts";
import { CREATED, EXISTS, refused } from "./outcomes.ts";

const TIMES: Columns = { created_at: "text", updated_at: "text" };
const NAME: Columns = { id: "text", entity_type: "text", canonical_name: "text", name_key: "text", created_at: "text" };

/** Stores names and what is entered of them, inside the caller's transaction; the entries that are there stay. */
export function* writeEntities(
  work: TenantWork,
  { now }: Batch,
  incoming: readonly IncomingEntity[],
): Unit<ImportOutcome[]> {
  const { tenant_id, dialect } = work;
  const names = incoming.map(({ key, entity: { entity_type, canonical_name, created_at } }) => ({
    id: entityId({ tenant_id, name_key: key }),
    ...{ entity_type, canonical_name, name_key: key, created_at: created_at ?? now },
  }));
  const made = yield* rows<{ name_key: string }>(sql`
    insert into entities (tenant_id, id, entity_type, canonical_name, name_key, created_at)
    select cast(${tenant_id} as text), e.id, e.entity_type, e.canonical_name, e.name_key, e.created_at
    from ${dialect.records(names, "e", NAME)} where true on conflict do nothing returning name_key`);
  const created = new Set(made.map(({ name_key }) => name_key));
  const keys = incoming.map(({ key }) => key);
  const named = yield* rows<{ seq: number; name_key: string }>(sql`select seq, name_key from entities
    where tenant_id = ${tenant_id} and ${dialect.isIn(sql`name_key`, keys)}`);
  const entered = yield* insertEntries(work, incoming, new Map(named.map(({ seq, name_key }) => [name_key, seq])));
  return incoming.map(({ key }, i) => {
    // Of several records of one name the first has made it.
    const isNew = created.delete(key);
    return isNew || entered.has(i) ? CREATED : EXISTS;
  });
}

interface Entry {
  readonly entity_seq: number;
  readonly fleet_id: string | null;
}

const markOf = ({ entity_seq, fleet_id }: Entry): string => JSON.stringify([entity_seq, fleet_id]);

const OF_NAME: Columns = { entity_seq: "int", fleet_id: "text", entity_type: "text", canonical_name: "text" };
const ENTRY: Columns = { ...OF_NAME, attributes: "text", ...TIMES };
const ALIAS: Columns = { alias_key: "text", entity_seq: "int", memory_seq: "int", name: "text" };

/** Returns the places of the records that brought an entry that was not there. */
function* insertEntries(
  { tenant_id, dialect }: TenantWork,
  incoming: readonly IncomingEntity[],
  seqOf: ReadonlyMap<string, number>,
): Unit<ReadonlySet<number>> {
  const given = incoming.flatMap(({ key, entity, aliases }, place) => {
    const entity_seq = seqOf.get(key);
    if (entity_seq === undefined) throw new Error("An entity just written cannot be read.");
    return entity.entries.map(({ attributes, ...entry }, i) => {
      const stored = { ...entry, entity_seq, attributes: attributes && JSON.stringify(attributes) };
      return { place, stored, aliases: aliases[i] ?? [] };
    });
  });
  const places = new Set<number>();
  if (given.length === 0) return places;
  const stored = given.map((one) => one.stored);
  const created = yield* rows<Entry & { readonly seq: number }>(sql`
    insert into entity_entries
      (${dialect.tenantColumn}entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at)
    select ${dialect.tenantValue(tenant_id)}e.entity_seq, e.fleet_id, e.entity_type, e.canonical_name,
      ${dialect.asJson(sql`e.attributes`)}, e.created_at, e.updated_at
    from ${dialect.records(stored, "e", ENTRY)} where true on conflict do nothing returning seq, entity_seq, fleet_id`);
  const entryOf = new Map(created.map((row) => [markOf(row), row.seq]));
  const taught = given.flatMap(({ place, stored, aliases }) => {
    const [mark, { entity_seq }] = [markOf(stored), stored];
    const seq = entryOf.get(mark);
    if (seq === undefined) return [];
    // Of several entries of one fleet the first is stored.
    entryOf.delete(mark);
    places.add(place);
    return aliases.map(({ key, name }) => ({ alias_key: key, entity_seq, memory_seq: -seq, name }));
  });
  if (taught.length > 0)
    yield* run(sql`insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
      select cast(${tenant_id} as text), a.alias_key, a.entity_seq, a.memory_seq, 0, a.name
      from ${dialect.records(taught, "a", ALIAS)} where true on conflict do nothing`);
  return places;
}

const ENDS: Columns = { id: "text", fleet_id: "text", from_seq: "int", relation_type: "text", to_seq: "int" };
const RELATION: Columns = { ...ENDS, weight: "real", evidence_memory_id: "text", ...TIMES };

/** Stores relations between names that are there, inside the caller's transaction; one of these ends and kind stays. */
export function* writeRelations(work: TenantWork, incoming: readonly IncomingRelation[]): Unit<ImportOutcome[]> {
  const { tenant_id, dialect } = work;
  const given = incoming.map(({ relation }) => relation);
  const ends = given.flatMap(({ from_entity_id, to_entity_id }) => [from_entity_id, to_entity_id]);
  const found = yield* rows<{ id: string; seq: number }>(sql`select e.id, e.seq from entities e
    where ${dialect.belongs("e", tenant_id)} and ${dialect.isIn(sql`e.id`, ends)}`);
  const seqOf = new Map(found.map(({ id, seq }) => [id, seq]));
  const evidence = given.flatMap(({ evidence_memory_id }) => evidence_memory_id ?? []);
  const [idOf, memoryOf] = [
    yield* idsWithin(
      work,
      "relations",
      given.map(({ id }) => id),
    ),
    yield* idsWithin(work, "memories", evidence),
  ];
  const relations = given.map((relation) => ({
    ...relation,
    id: idOf(relation.id),
    from_seq: seqOf.get(relation.from_entity_id),
    to_seq: seqOf.get(relation.to_entity_id),
    evidence_memory_id: relation.evidence_memory_id ? memoryOf(relation.evidence_memory_id) : null,
  }));
  const whole = relations.filter(({ from_seq, to_seq }) => from_seq !== undefined && to_seq !== undefined);
  const stored = yield* rows<{ id: string }>(sql`
    insert into relations (tenant_id, id, fleet_id, from_seq, relation_type, to_seq, weight, evidence_memory_id,
      created_at, updated_at)
    select cast(${tenant_id} as text), r.id, r.fleet_id, r.from_seq, r.relation_type, r.to_seq,
      r.weight, r.evidence_memory_id, r.created_at, r.updated_at
    from ${dialect.records(whole, "r", RELATION)} where true on conflict do nothing returning id`);
  const created = new Set(stored.map(({ id }) => id));
  return relations.map(({ id, from_seq, to_seq }) => {
    if (from_seq === undefined || to_seq === undefined) return refused("One of its two entities is not there.");
    // Of several records of one id the first is stored.
    return created.delete(id) ? CREATED : EXISTS;
  });
}
