import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import { mergeTop } from "../../core/kernel/json.ts";
import type { KeyedName } from "../../core/ports/entities/changes.ts";
import { nameKey } from "../../text/names/name-key.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
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
export function* mergeEntry(
  work: TenantWork,
  { from, into }: Moving,
  { fleet_id, now, requireFit }: Entered,
): Unit<void> {
  const { dialect, tenant_id } = work;
  const of = function* (entity_seq: number): Unit<EntryRow | null> {
    return (yield* entriesOf(work, entity_seq)).find((entry) => entry.fleet_id === fleet_id) ?? null;
  };
  const gone = yield* of(from.seq);
  const was = yield* toldTo(work, from, fleet_id);
  const told = yield* toldTo(work, into, fleet_id);
  const entity_type = told.entity_type === "unknown" ? was.entity_type : told.entity_type;
  // By its id an entity is told where nobody reads its name.
  const former = [yield* ownName(work, from, fleet_id), was.canonical_name]
    .filter((name) => name !== from.id)
    .map(keyed);
  const attributes = gone?.attributes ?? null;
  const present = yield* of(into.seq);
  const named = { ...told, entity_type, ...keyed(told.canonical_name), attributes, aliases: [] };
  const change = { tenant_id, fleet_id, home: null, ...named };
  const entry = present ?? (yield* insertEntry(work, into.seq, { change, now }));
  if (present && attributes) {
    const merged = mergeTop(attributes, present.attributes ?? {});
    requireFit(merged);
    yield* run(sql`update entity_entries as h set attributes = ${dialect.json(merged)}, updated_at = ${now}
      where ${dialect.tenant("h", tenant_id)} and h.seq = ${present.seq}`);
  }
  if (gone) yield* moveNames(work, { from, into }, { gone, entry });
  const taught = former.filter(({ key }) => key !== into.name_key);
  yield* teachByHand(work, { entity: into, entry }, taught);
}

const keyed = (name: string): KeyedName => ({ name, key: nameKey(name) });

/** Other names of an entry that goes are entered with the one that stays. */
function* moveNames(
  work: TenantWork,
  { from, into }: Pick<Moving, "from" | "into">,
  { gone, entry }: { readonly gone: EntryRow; readonly entry: EntryRow },
): Unit<void> {
  const { dialect, tenant_id } = work;
  const names = yield* rows<KeyedName>(sql`delete from entity_aliases
    where tenant_id = ${tenant_id} and entity_seq = ${from.seq} and memory_seq = ${-gone.seq}
    returning alias_key as key, name`);
  yield* run(sql`delete from entity_entries as h where ${dialect.tenant("h", tenant_id)} and h.seq = ${gone.seq}`);
  yield* teachByHand(work, { entity: into, entry }, names);
}
