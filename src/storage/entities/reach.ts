import { sql } from "drizzle-orm";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import { nameKey } from "../../text/names/name-key.ts";
import { widerThan } from "../accounts/audiences.ts";
import type { Audience } from "../common/audiences.ts";
import type { Reach, Told } from "../common/entity-reach.ts";
import { reachAmong } from "../common/entity-reach.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { EntryRow } from "./entries.ts";
import { entriesOf } from "./entries.ts";
import { nameAmong, typeAmong } from "./seen-by.ts";

/** Who knows an entity, as the reader sees it. */
export function* reachOf(work: TenantWork, read_scope: ReadScope, { seq }: EntityRow): Unit<Reach<EntryRow>> {
  const readers = yield* rows<Pick<Audience, "kind" | "owner">>(sql`
    select a.kind, a.owner from entity_audiences l
    ${work.dialect.nested} audiences a on a.tenant_id = ${work.tenant_id} and a.id = l.audience
    where ${work.dialect.tenant("l", work.tenant_id)} and l.entity_seq = ${seq} and l.links > 0`);
  return reachAmong(read_scope, yield* entriesOf(work, seq), readers);
}

/** How everyone of a fleet, or all, are told of an entity: as it was entered for them, else as the rows have it that they all read. */
export function* toldTo(work: TenantWork, entity: EntityRow, fleet_id: string | null): Unit<Told> {
  const entries = yield* entriesOf(work, entity.seq);
  const entry =
    entries.find((one) => one.fleet_id === fleet_id) ?? entries.find(({ fleet_id: shared }) => shared === null);
  const { canonical_name, entity_type } = entry ?? (yield* writtenFor(work, entity, fleet_id));
  return { canonical_name, entity_type };
}

/** Spelling and type of an entity in rows that everyone of a fleet, or all, read; by its id where none of them spells it. */
function* writtenFor(work: TenantWork, { seq, ...first }: EntityRow, fleet_id: string | null): Unit<Told> {
  const { dialect, tenant_id } = work;
  const visibility = fleet_id === null ? "scope_org" : "scope_team";
  const readers = { dialect, audiences: yield* widerThan(work, { tenant_id, visibility, fleet_id, agent_id: "" }) };
  const told = yield* row<Told>(sql`
    select ${nameAmong(readers)} as canonical_name, ${typeAmong(readers)} as entity_type
    from entities e where e.tenant_id = ${tenant_id} and e.seq = ${seq}`);
  return told ?? first;
}

/** How an entity's own name is spelled for everyone of a fleet, or for all, whatever else it was called since. */
export function* ownName(work: TenantWork, entity: EntityRow, fleet_id: string | null): Unit<string> {
  const told = (yield* toldTo(work, entity, fleet_id)).canonical_name;
  return nameKey(told) === entity.name_key ? told : (yield* writtenFor(work, entity, fleet_id)).canonical_name;
}
