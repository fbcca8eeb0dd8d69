import { sql } from "drizzle-orm";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import { isCalledSo } from "../../common/entity-reach.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { Reader } from "./seen-by.ts";
import { isAmong, isEntered, isEnteredAlias, isSeen } from "./seen-by.ts";

interface Wanted {
  readonly entity: EntityRow;
  readonly names: readonly KeyedName[];
}

/**
 * Throws CONFLICT when the reader knows another entity by one of these names: by its own, which rows write or hands entered,
 * or by one entered for it.
 */
export async function requireFree(work: TenantWork, reader: Reader, { entity, names }: Wanted): Promise<void> {
  if (names.length === 0) return;
  const { tenant_id } = work;
  const placed = names.map(({ name, key }, place) => ({ place, name, key }));
  const other = await work.row<{ id: string; name: string }>(sql`
    select other.id, n.name from json_to_recordset(${recordsValue(placed)}) as n (place bigint, name text, key text)
    cross join lateral (
      (select e.id from entities e
        where e.tenant_id = ${tenant_id} and e.name_key = n.key and e.seq <> ${entity.seq} and (${isEntered(reader)}
          or exists (select 1 from entity_audiences l where l.tenant_id = e.tenant_id and l.entity_seq = e.seq
            and l.direct > 0 and ${isAmong("l", reader.audiences)})))
      union all
      (select e.id from entity_aliases a join entities e on e.tenant_id = a.tenant_id and e.seq = a.entity_seq
        where a.tenant_id = ${tenant_id} and a.alias_key = n.key and e.seq <> ${entity.seq}
          and ${isEnteredAlias(reader)} and ${isSeen(reader)})
      limit 1) other
    order by n.place limit 1`);
  if (other) throw isCalledSo(entity, other.id, other.name);
}
