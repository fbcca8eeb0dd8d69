import type { SQLQueryBindings } from "bun:sqlite";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import { isCalledSo } from "../../common/entity-reach.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import type { Connections } from "../engine/connection.ts";
import type { Reader } from "./seen-by.ts";
import { IS_ENTERED, IS_ENTERED_ALIAS, IS_SEEN, seenBy } from "./seen-by.ts";

/** Other entities that the reader knows by a name: by their own, which rows write or hands entered, or by one entered for them. */
const KNOWN_BY = `
  select e.id from entities e where e.tenant_id = ?3 and e.name_key = ?4 and e.seq <> ?5 and (${IS_ENTERED}
    or exists (select 1 from entity_audiences l where l.entity_seq = e.seq and l.direct > 0
      and l.audience in (select value from json_each(?2))))
  union all
  select e.id from entity_aliases a cross join entities e on e.seq = a.entity_seq
  where a.tenant_id = ?3 and a.alias_key = ?4 and e.seq <> ?5 and ${IS_ENTERED_ALIAS} and ${IS_SEEN}
  limit 1`;

/** Throws CONFLICT when the reader knows another entity by one of these names. */
export function requireFree(db: Connections, reader: Reader, entity: EntityRow, names: readonly KeyedName[]): void {
  const knownBy = db.writeConnection.query<{ id: string }, SQLQueryBindings[]>(KNOWN_BY);
  for (const { name, key } of names) {
    const other = knownBy.get(...seenBy(reader), entity.tenant_id, key, entity.seq);
    if (other) throw isCalledSo(entity, other.id, name);
  }
}
