import type { JsonObject } from "../../../core/kernel/json.ts";
import { mergeTop } from "../../../core/kernel/json.ts";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import type { Connections } from "../engine/connection.ts";
import type { EntryRow } from "./entries.ts";
import { attributesOf, entriesOf, insertEntry, teachByHand } from "./entries.ts";
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
export function mergeEntry(db: Connections, { from, into }: Moving, { fleet_id, now, requireFit }: Entered): void {
  const of = (entity_seq: number) => entriesOf(db, entity_seq).find((entry) => entry.fleet_id === fleet_id) ?? null;
  const gone = of(from.seq);
  const was = toldTo(db, from, fleet_id);
  const told = toldTo(db, into, fleet_id);
  const entity_type = told.entity_type === "unknown" ? was.entity_type : told.entity_type;
  const former = [ownName(db, from, fleet_id), was.canonical_name].map(keyed);
  const attributes = gone && attributesOf(gone);
  const present = of(into.seq);
  const { tenant_id } = into;
  const entry =
    present ??
    insertEntry(
      db,
      into.seq,
      { tenant_id, fleet_id, home: null, ...told, entity_type, ...keyed(told.canonical_name), attributes, aliases: [] },
      now,
    );
  if (present && attributes) {
    const merged = mergeTop(attributes, attributesOf(present) ?? {});
    requireFit(merged);
    db.writeConnection
      .query("update entity_entries set attributes = ?, updated_at = ? where seq = ?")
      .run(JSON.stringify(merged), now, present.seq);
  }
  if (gone) moveNames(db, { from, into }, gone, entry);
  teachByHand(
    db,
    into,
    entry,
    former.filter(({ key }) => key !== into.name_key),
  );
}

const keyed = (name: string): KeyedName => ({ name, key: nameKey(name) });

/** Other names of an entry that goes are entered with the one that stays. */
function moveNames(
  db: Connections,
  { from, into }: Pick<Moving, "from" | "into">,
  gone: EntryRow,
  entry: EntryRow,
): void {
  const names = db.writeConnection
    .query<KeyedName, [number, number]>(
      "delete from entity_aliases where entity_seq = ? and memory_seq = ? returning alias_key as key, name",
    )
    .all(from.seq, -gone.seq);
  db.writeConnection.query("delete from entity_entries where seq = ?").run(gone.seq);
  teachByHand(db, into, entry, names);
}
