import { sql } from "drizzle-orm";
import type { ImportOutcome, IncomingEntity } from "../../../core/ports/keeping/transfer.ts";
import { entityId } from "../../common/entity-rows.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { CREATED, EXISTS } from "../../common/transfer/write-context.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

interface Named {
  readonly seq: number;
  readonly name_key: string;
}

/** Stores names and what is entered of them, inside the caller's transaction; the entries that are there stay. */
export async function writeEntities(
  work: TenantWork,
  context: WriteContext,
  incoming: readonly IncomingEntity[],
): Promise<ImportOutcome[]> {
  const { tenant_id } = work;
  const created = new Set(await insertNames(work, context, incoming));
  const keys = [...new Set(incoming.map(({ key }) => key))];
  const named = await work.rows<Named>(sql`select seq, name_key from entities
    where tenant_id = ${tenant_id} and name_key = any(${textArray(keys)})`);
  const seqOf = new Map(named.map(({ seq, name_key }) => [name_key, seq]));
  const entered = await insertEntries(work, incoming, seqOf);
  return incoming.map(({ key }, i) => {
    // Of several records of one name the first has made it.
    const isNew = created.delete(key);
    return isNew || entered.has(i) ? CREATED : EXISTS;
  });
}

/** Returns the keys of the names that were not there. */
async function insertNames(work: TenantWork, { now }: WriteContext, incoming: readonly IncomingEntity[]) {
  const { tenant_id } = work;
  const rows = incoming.map(({ key, entity: { entity_type, canonical_name, created_at } }) => ({
    id: entityId({ tenant_id, name_key: key }),
    entity_type,
    canonical_name,
    name_key: key,
    created_at: created_at ?? now,
  }));
  const created = await work.rows<Pick<Named, "name_key">>(sql`
    insert into entities (tenant_id, id, entity_type, canonical_name, name_key, created_at)
    select ${tenant_id}, e.id, e.entity_type, e.canonical_name, e.name_key, e.created_at
    from json_to_recordset(${recordsValue(rows)})
      as e (id text, entity_type text, canonical_name text, name_key text, created_at text)
    on conflict do nothing returning name_key`);
  return created.map(({ name_key }) => name_key);
}

interface Entry {
  readonly entity_seq: number;
  readonly fleet_id: string | null;
}

const markOf = ({ entity_seq, fleet_id }: Entry): string => JSON.stringify([entity_seq, fleet_id]);

/** Returns the places of the records that brought an entry that was not there. */
async function insertEntries(
  work: TenantWork,
  incoming: readonly IncomingEntity[],
  seqOf: ReadonlyMap<string, number>,
): Promise<Set<number>> {
  const { tenant_id } = work;
  const rows = incoming.flatMap(({ key, entity, aliases }, place) => {
    const entity_seq = seqOf.get(key);
    if (entity_seq === undefined) throw new Error("An entity just written cannot be read.");
    return entity.entries.map((entry, i) => {
      const { fleet_id = null, entity_type, canonical_name, attributes, created_at, updated_at } = entry;
      const stored = { entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at };
      return { place, stored, aliases: aliases[i] ?? [] };
    });
  });
  if (rows.length === 0) return new Set();
  const created = await work.rows<Entry & { readonly seq: number }>(sql`
    insert into entity_entries
      (tenant_id, entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at)
    select ${tenant_id}, e.entity_seq, e.fleet_id, e.entity_type, e.canonical_name,
      nullif(e.attributes::text, 'null')::json, e.created_at, e.updated_at
    from json_to_recordset(${recordsValue(rows.map(({ stored }) => stored))}) as e (entity_seq bigint, fleet_id text,
      entity_type text, canonical_name text, attributes json, created_at text, updated_at text)
    on conflict do nothing returning seq, entity_seq, fleet_id`);
  const entryOf = new Map(created.map((row) => [markOf(row), row.seq]));
  const places = new Set<number>();
  const taught: object[] = [];
  for (const { place, stored, aliases } of rows) {
    const seq = entryOf.get(markOf(stored));
    if (seq === undefined) continue;
    // Of several entries of one fleet the first is stored.
    entryOf.delete(markOf(stored));
    places.add(place);
    for (const { key, name } of aliases)
      taught.push({ alias_key: key, entity_seq: stored.entity_seq, memory_seq: -seq, name });
  }
  if (taught.length > 0)
    await work.run(sql`insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
      select ${tenant_id}, a.alias_key, a.entity_seq, a.memory_seq, 0, a.name
      from json_to_recordset(${recordsValue(taught)})
        as a (alias_key text, entity_seq bigint, memory_seq bigint, name text)
      on conflict do nothing`);
  return places;
}
