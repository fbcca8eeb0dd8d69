import { sql } from "drizzle-orm";
import { AppError } from "../../core/kernel/errors.ts";
import type { EntityMerge } from "../../core/ports/entities/changes.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { EntityType } from "../../core/schema/entity.ts";
import { nameKey } from "../../text/names/name-key.ts";
import { widerThan } from "../accounts/audiences.ts";
import type { Audience } from "../common/audiences.ts";
import { isForAll, isReader } from "../common/audiences.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { EntryRow } from "./entries.ts";
import { entriesOf } from "./entries.ts";
import { nameAmong, typeAmong } from "./seen-by.ts";

interface Entry {
  readonly fleet_id: string | null;
}

/** Who knows an entity by what was entered of it and by rows that name it, as far as a reader sees either. */
export interface Reach<T extends Entry> {
  readonly all: boolean;
  /** In the order of their names. */
  readonly fleets: readonly string[];
  /** Rows of one agent alone name it. */
  readonly isPrivate: boolean;
  /** What was entered of it that the reader sees. */
  readonly entries: readonly T[];
}

/** What an entity is called by everyone of a fleet, or by all. */
export interface Told {
  readonly canonical_name: string;
  readonly entity_type: EntityType;
}

/** Who knows an entity, as a reader sees it, by all entries of it and by the sets of readers of all rows that name it. */
function reachAmong<T extends Entry>(
  read_scope: ReadScope,
  all: readonly T[],
  audiences: readonly Pick<Audience, "kind" | "owner">[],
): Reach<T> {
  const { fleets } = read_scope;
  const entries = all.filter(({ fleet_id }) => fleet_id === null || fleets === "all" || fleets.includes(fleet_id));
  const readers = audiences.filter((audience) => isReader(audience, read_scope));
  const named = readers.filter((audience) => audience.kind === "scope_team" && !isForAll(audience));
  const entered = entries.flatMap(({ fleet_id }) => fleet_id ?? []);
  return {
    all: readers.some(isForAll) || entries.some(({ fleet_id }) => fleet_id === null),
    fleets: [...new Set([...named.map(({ owner }) => owner), ...entered])].sort(),
    isPrivate: readers.some(({ kind }) => kind === "scope_agent"),
    entries,
  };
}

/** The refusal of a change that would tell others of what private rows alone name. */
const knownInPrivate = ({ id }: EntityRow): AppError =>
  new AppError(
    "CONFLICT",
    "Private memories name this entity, and not everyone who would be told of the change knows it. Enter it for all or for a fleet first: POST /api/v1/entities/upsert.",
    { entity_id: id },
  );

/** The refusal of a change to an entity whose name nobody reads who would be told of it. */
export const isUnnamed = ({ id }: EntityRow): AppError =>
  new AppError(
    "CONFLICT",
    "No memory that you share with those who would be told of the change names this entity: give it a name.",
    {
      entity_id: id,
    },
  );

/** The refusal of a name by which the reader knows another entity. */
export const isCalledSo = ({ id }: EntityRow, other_id: string, name: string): AppError =>
  new AppError(
    "CONFLICT",
    `Another entity is called so already. If both are one thing, merge them: POST /api/v1/entities/${id}/merge with from_id ${other_id}.`,
    { entity_id: other_id, name },
  );

/**
 * For whom two entities become one: everyone who knows the one that goes, and each of them must know the other. Throws
 * CONFLICT where that would tell somebody of a name, and FLEET_SCOPE_FORBIDDEN where the caller may not change what a fleet
 * knows.
 */
export function mergedFleets(
  known: Reach<Entry>,
  survivor: Reach<Entry>,
  { from, into, merge }: { readonly from: EntityRow; readonly into: EntityRow; readonly merge: EntityMerge },
): readonly (string | null)[] {
  if (!known.all && known.isPrivate) throw knownInPrivate(from);
  const entered = known.entries.map(({ fleet_id }) => fleet_id);
  const fleets = known.all ? [null, ...entered.filter((fleet_id) => fleet_id !== null)] : known.fleets;
  for (const fleet_id of fleets) if (fleet_id !== null) merge.requireFleet(fleet_id);
  const isKnown = (fleet_id: string | null) =>
    survivor.all || (fleet_id !== null && survivor.fleets.includes(fleet_id));
  if (fleets.every(isKnown)) return fleets;
  throw new AppError(
    "CONFLICT",
    "Not everyone who knows the entity that would go knows the one that would stay. Enter that one for them first, POST /api/v1/entities/upsert, or merge the other way round.",
    { entity_id: into.id },
  );
}

/** Where a change is entered. */
export interface Place<T extends Entry> {
  readonly fleet_id: string | null;
  readonly current: T | null;
}

/**
 * In the entry of the caller's fleet, else in that of all; without either, for those who know the entity. Throws CONFLICT
 * when these are the readers of private rows alone, FLEET_SCOPE_FORBIDDEN where the caller may not change the fleet's.
 */
export function placeOf<T extends Entry>(
  { entries, all, fleets }: Reach<T>,
  entity: EntityRow,
  { read_scope, requireFleet }: Pick<EntityMerge, "read_scope" | "requireFleet">,
): Place<T> {
  const home = read_scope.home ?? null;
  const of = (fleet_id: string | null): Place<T> => {
    if (fleet_id !== null) requireFleet(fleet_id);
    return { fleet_id, current: entries.find((one) => one.fleet_id === fleet_id) ?? null };
  };
  if (home !== null && entries.some(({ fleet_id }) => fleet_id === home)) return of(home);
  if (all) return of(null);
  const fleet = home !== null && fleets.includes(home) ? home : fleets[0];
  if (fleet === undefined) throw knownInPrivate(entity);
  return of(fleet);
}

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
