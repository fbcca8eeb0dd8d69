import { sql } from "drizzle-orm";
import type { KeyedName } from "../../core/ports/entities/changes.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { Unit } from "../units/unit.ts";
import { isCalledSo } from "./reach.ts";
import type { Reader } from "./seen-by.ts";
import { isEnteredAlias, isNameKnown, isSeen } from "./seen-by.ts";

interface Wanted {
  readonly entity: EntityRow;
  readonly names: readonly KeyedName[];
}

/**
 * Throws CONFLICT when the reader knows another entity by one of these names: by its own, which rows write or hands entered,
 * or by one entered for it.
 */
export function* requireFree(reader: Reader, { entity, names }: Wanted): Unit<void> {
  const { tenant_id, seq } = entity;
  const [other] = yield* reader.dialect.each<{ id: string }>(
    names,
    { key: "text" },
    (name) => sql`
      select e.id from entities e
      where e.tenant_id = ${tenant_id} and e.name_key = ${name.of("key")} and e.seq <> ${seq}
        and ${isNameKnown(reader)}
      union all
      select e.id from entity_aliases a
      ${reader.dialect.nested} entities e on e.tenant_id = a.tenant_id and e.seq = a.entity_seq
      where a.tenant_id = ${tenant_id} and a.alias_key = ${name.of("key")} and e.seq <> ${seq}
        and ${isEnteredAlias(reader)} and ${isSeen(reader)}
      limit 1`,
  );
  if (other) throw isCalledSo(entity, other.id, names[other.place]?.name ?? "");
}
