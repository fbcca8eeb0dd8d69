import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { MEMORY_STATUSES, MEMORY_TYPES } from "../../../core/schema/memory.ts";
import { audiencesWithin, authorNumber } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { FLAG, NEVER } from "./layout.ts";
import type { IndexedColumns, Records } from "./records.ts";
import type { ColumnFilter } from "./scan.ts";

/** Seconds since 1970 of a timestamp, cut; as many as four bytes hold. */
const seconds = (timestamp: string): number => clamp(Math.floor(Date.parse(timestamp) / 1_000), NEVER - 1);

const weightStep = (weight: number): number => clamp(Math.floor(weight * 255), 255);

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, Number.isFinite(value) ? value : 0));

const ordinal = (names: readonly string[], name: string): number => Math.max(0, names.indexOf(name));

/** A row's columns as SQLite has them. */
export interface StoredColumns {
  readonly seq: number;
  readonly audience: number;
  readonly author: number;
  readonly memory_type: string;
  readonly status: string;
  readonly weight: number;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly deleted_at: string | null;
}

/** The columns of a row in the units of the index. */
export const indexedColumns = (row: StoredColumns): IndexedColumns => ({
  seq: row.seq,
  audience: row.audience,
  author: row.author,
  created: seconds(row.created_at),
  expires: row.expires_at === null ? NEVER : seconds(row.expires_at),
  type: ordinal(MEMORY_TYPES, row.memory_type),
  status: ordinal(MEMORY_STATUSES, row.status),
  weight: weightStep(row.weight),
  is_live: row.deleted_at === null,
});

/**
 * What the columns of the index tell of a filter: no row that passes it is ruled out, and few others are let through. Null
 * where nothing can pass.
 */
export function columnFilter(db: Connections, filter: MemoryFilter): ColumnFilter | null {
  const { tenant_id, written_by, created_after, created_before, unexpired_at, weight_min, weight_max } = filter;
  const audiences = audiencesWithin(db, filter);
  const author = written_by === undefined ? ANY : authorNumber(db, tenant_id, written_by);
  const types = bitsOf(MEMORY_TYPES, filter.memory_types) & ~bitsOf(MEMORY_TYPES, filter.exclude_memory_types ?? []);
  const statuses = bitsOf(MEMORY_STATUSES, filter.statuses);
  if (audiences.length === 0 || author < 0 || types === 0 || statuses === 0) return null;
  return {
    audiences,
    author,
    types,
    statuses,
    created_from: created_after === undefined ? 0 : seconds(created_after),
    created_to: created_before === undefined ? NEVER : seconds(created_before),
    expires_from: unexpired_at === undefined ? 0 : seconds(unexpired_at),
    weight_from: weight_min === undefined ? 0 : weightStep(weight_min),
    weight_to: weight_max === undefined ? 255 : weightStep(weight_max),
  };
}

const ANY = 0;

/** Tells of a row whether its columns pass. */
export function columnTest({ slotOf, column }: Records, filter: ColumnFilter): (seq: number) => boolean {
  const audiences = new Set(filter.audiences);
  const { author, created_from, created_to, expires_from, weight_from, weight_to } = filter;
  const isAnyTime = created_from === 0 && created_to === NEVER;
  const isAnyWeight = weight_from === 0 && weight_to === 255;
  const isSet = (bits: number, bit: number): boolean => (bits & (1 << bit)) !== 0;
  return (seq) => {
    const slot = slotOf(seq);
    return (
      slot >= 0 &&
      (column(slot, "flags") & FLAG.live) !== 0 &&
      audiences.has(column(slot, "audience")) &&
      (author === ANY || column(slot, "author") === author) &&
      (isAnyTime || isWithin(column(slot, "created"), created_from, created_to)) &&
      (expires_from === 0 || column(slot, "expires") >= expires_from) &&
      isSet(filter.types, column(slot, "type")) &&
      isSet(filter.statuses, column(slot, "status")) &&
      (isAnyWeight || isWithin(column(slot, "weight"), weight_from, weight_to))
    );
  };
}

const isWithin = (value: number, from: number, to: number): boolean => value >= from && value <= to;

/** A bit for each of the names that are named; all of them when none is. */
const bitsOf = (names: readonly string[], named: readonly string[] = names): number =>
  names.reduce((bits, name, i) => (named.includes(name) ? bits | (1 << i) : bits), 0);

/** Whether a filter asks for something that the columns do not tell, or tell only in part. */
export const asksMore = (filter: MemoryFilter): boolean => UNTOLD.some((part) => filter[part] !== undefined);

/**
 * Whether the columns tell each part of a filter; where they tell it by the second or in steps, the rows that are read do. What is
 * not told is looked at in the rows themselves, else a search would pass over it.
 */
const IS_TOLD: Readonly<Record<keyof MemoryFilter, boolean>> = {
  tenant_id: true,
  read_scope: true,
  written_by: true,
  memory_types: true,
  exclude_memory_types: true,
  statuses: true,
  visibility: true,
  weight_min: true,
  weight_max: true,
  created_after: true,
  created_before: true,
  unexpired_at: true,
  include_deleted: true,
  fleets: false,
  no_fleet: false,
  run_id: false,
  expired_by: false,
  valid_at: false,
  valid_since: false,
  happened: false,
  deleted: false,
  ids: false,
  exclude_ids: false,
  metadata: false,
};
// Safe: the keys of a record of all of them.
const UNTOLD = (Object.keys(IS_TOLD) as (keyof MemoryFilter)[]).filter((part) => !IS_TOLD[part]);
