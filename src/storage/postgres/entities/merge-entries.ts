import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import { mergeTop } from "../../../core/kernel/json.ts";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import { jsonValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { EntryRow } from "./entries.ts";
import { entriesOf, insertEntry, teachByHand } from "./entries.ts";
import type { Moving } from "./moving.ts";
import { ownName, toldTo } from "./reach.ts";

interface Entered {
  readonly fleet_id: string | null;
  readonly now: string;
  readonly requireFit: (attributes: JsonObject | null) => void;
}

/**
 * What one fleet, or all, entered of the entity that goes becomes part of what they entered of the survivor, whose own attributes stay;
 * the names of the one that goes become other names there.
 */
export async function mergeEntry(
  work: TenantWork,
  { from, into }: Moving,
  { fleet_id, now, requireFit }: Entered,
): Promise<void> {
  const { tenant_id } = work;
  const of = async (entity_seq: number) =>
    (await entriesOf(work, entity_seq)).find((entry) => entry.fleet_id === fleet_id) ?? null;
  const gone = await of(from.seq);
  const was = await toldTo(work, from, fleet_id);
  const told = await toldTo(work, into, fleet_id);
  const entity_type = told.entity_type === "unknown" ? was.entity_type : told.entity_type;
  const former = [await ownName(work, from, fleet_id), was.canonical_name].map(keyed);
  const attributes = gone?.attributes ?? null;
  const present = await of(into.seq);
  const named = { ...told, entity_type, ...keyed(told.canonical_name), attributes, aliases: [] };
  const change = { tenant_id, fleet_id, home: null, ...named };
  const entry = present ?? (await insertEntry(work, into.seq, { change, now }));
  if (present && attributes) {
    const merged = mergeTop(attributes, present.attributes ?? {});
    requireFit(merged);
    await work.run(sql`update entity_entries set attributes = ${jsonValue(merged)}, updated_at = ${now}
      where tenant_id = ${tenant_id} and seq = ${present.seq}`);
  }
  if (gone) await moveNames(work, { from, into }, { gone, entry });
  const taught = former.filter(({ key }) => key !== into.name_key);
  await teachByHand(work, { entity: into, entry }, taught);
}

const keyed = (name: string): KeyedName => ({ name, key: nameKey(name) });

/** Other names of an entry that goes are entered with the one that stays. */
async function moveNames(
  work: TenantWork,
  { from, into }: Pick<Moving, "from" | "into">,
  { gone, entry }: { readonly gone: EntryRow; readonly entry: EntryRow },
): Promise<void> {
  const { tenant_id } = work;
  const names = await work.rows<KeyedName>(sql`delete from entity_aliases
    where tenant_id = ${tenant_id} and entity_seq = ${from.seq} and memory_seq = ${-gone.seq}
    returning alias_key as key, name`);
  await work.run(sql`delete from entity_entries where tenant_id = ${tenant_id} and seq = ${gone.seq}`);
  await teachByHand(work, { entity: into, entry }, names);
}
