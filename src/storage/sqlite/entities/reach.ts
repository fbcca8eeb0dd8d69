import type { SQLQueryBindings } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import type { Audience } from "../../common/audiences.ts";
import { isForAll, isReader } from "../../common/audiences.ts";
import { widerThan } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import type { EntryRow } from "./entries.ts";
import { entriesOf } from "./entries.ts";
import type { EntityRow } from "./rows.ts";
import { nameAmong, typeAmong } from "./seen-by.ts";

/** Who knows an entity by what was entered of it and by rows that name it, as far as a reader sees either. */
export interface Reach {
  readonly all: boolean;
  /** In the order of their names. */
  readonly fleets: readonly string[];
  /** Rows of one agent alone name it. */
  readonly isPrivate: boolean;
  /** What was entered of it that the reader sees. */
  readonly entries: readonly EntryRow[];
}

/** Who knows an entity, as the reader sees it. */
export function reachOf(db: Connections, read_scope: ReadScope, { seq }: EntityRow): Reach {
  const { fleets } = read_scope;
  const entries = entriesOf(db, seq).filter(
    ({ fleet_id }) => fleet_id === null || fleets === "all" || fleets.includes(fleet_id),
  );
  const readers = db.writeConnection
    .query<Pick<Audience, "kind" | "owner">, [number]>(
      `select a.kind, a.owner from entity_audiences l cross join audiences a on a.id = l.audience
      where l.entity_seq = ? and l.links > 0`,
    )
    .all(seq)
    .filter((audience) => isReader(audience, read_scope));
  const named = readers.filter((audience) => audience.kind === "scope_team" && !isForAll(audience));
  const entered = entries.flatMap(({ fleet_id }) => fleet_id ?? []);
  return {
    all: readers.some(isForAll) || entries.some(({ fleet_id }) => fleet_id === null),
    fleets: [...new Set([...named.map(({ owner }) => owner), ...entered])].sort(),
    isPrivate: readers.some(({ kind }) => kind === "scope_agent"),
    entries,
  };
}

/** What an entity is called by everyone of a fleet, or by all. */
export interface Told {
  readonly canonical_name: string;
  readonly entity_type: EntityType;
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
      `select ${nameAmong("?2")} as canonical_name, ${typeAmong("?2")} as entity_type from entities e where e.seq = ?1`,
    )
    .get(seq, audiences);
  return told ?? first;
}

/** How an entity's own name is spelled for everyone of a fleet, or for all, whatever else it was called since. */
export function ownName(db: Connections, entity: EntityRow, fleet_id: string | null): string {
  const told = toldTo(db, entity, fleet_id).canonical_name;
  return nameKey(told) === entity.name_key ? told : writtenFor(db, entity, fleet_id).canonical_name;
}

/** The refusal of a change that would tell others of what private rows alone name. */
export const knownInPrivate = ({ id }: EntityRow): AppError =>
  new AppError(
    "CONFLICT",
    "Private memories name this entity, and not everyone who would be told of the change knows it. Enter it for all or for a fleet first: POST /api/v1/entities/upsert.",
    { entity_id: id },
  );
