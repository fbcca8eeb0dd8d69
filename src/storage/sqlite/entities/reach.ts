import type { SQLQueryBindings } from "bun:sqlite";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import type { Audience } from "../../common/audiences.ts";
import type { Reach, Told } from "../../common/entity-reach.ts";
import { reachAmong } from "../../common/entity-reach.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { widerThan } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import type { EntryRow } from "./entries.ts";
import { entriesOf } from "./entries.ts";
import { nameSaid, typeAmong } from "./seen-by.ts";

/** Who knows an entity, as the reader sees it. */
export function reachOf(db: Connections, read_scope: ReadScope, { seq }: EntityRow): Reach<EntryRow> {
  const readers = db.writeConnection
    .query<Pick<Audience, "kind" | "owner">, [number]>(
      `select a.kind, a.owner from entity_audiences l cross join audiences a on a.id = l.audience
      where l.entity_seq = ? and l.links > 0`,
    )
    .all(seq);
  return reachAmong(read_scope, entriesOf(db, seq), readers);
}

/** How everyone of a fleet, or all, are told of an entity: as it was entered for them, else as the rows have it that they all read. */
export function toldTo(db: Connections, entity: EntityRow, fleet_id: string | null): Told {
  const entries = entriesOf(db, entity.seq);
  const entry =
    entries.find((one) => one.fleet_id === fleet_id) ?? entries.find(({ fleet_id: shared }) => shared === null);
  const { canonical_name, entity_type } = entry ?? writtenFor(db, entity, fleet_id);
  return { canonical_name, entity_type };
}

/** Spelling and type of an entity in rows that everyone of a fleet, or all, read. */
function writtenFor(db: Connections, { seq, tenant_id, ...first }: EntityRow, fleet_id: string | null): Told {
  const visibility = fleet_id === null ? "scope_org" : "scope_team";
  const audiences = JSON.stringify(widerThan(db, { tenant_id, visibility, fleet_id, agent_id: "" }));
  const told = db.writeConnection
    .query<Told, SQLQueryBindings[]>(
      `select coalesce(${nameSaid("?2")}, e.canonical_name) as canonical_name, ${typeAmong("?2")} as entity_type from entities e where e.seq = ?1`,
    )
    .get(seq, audiences);
  return told ?? first;
}

/** How an entity's own name is spelled for everyone of a fleet, or for all, whatever else it was called since. */
export function ownName(db: Connections, entity: EntityRow, fleet_id: string | null): string {
  const told = toldTo(db, entity, fleet_id).canonical_name;
  return nameKey(told) === entity.name_key ? told : writtenFor(db, entity, fleet_id).canonical_name;
}
