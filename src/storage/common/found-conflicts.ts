import type { ConflictSide, FoundConflict } from "../../core/ports/contradiction-store.ts";
import type { ConflictState } from "../../core/schema/observing/conflict.ts";

/** SQL of what was decided of a finding `f`. */
export const CONFLICT_STATE =
  "case when f.retracted_at is not null then 'both_stand' else coalesce(f.review, 'open') end";

const SIDE = [
  "id",
  "content",
  "status",
  "agent_id",
  "fleet_id",
  "memory_type",
  "created_at",
  "ts_valid_start",
] as const satisfies (keyof ConflictSide)[];
const sideColumns = (side: "newer" | "older"): string =>
  SIDE.map((column) => `${side}.${column} as ${side}_${column}`).join(", ");
/** SQL of a finding `f` with its rows `newer` and `older`. */
export const CONFLICT_COLUMNS = `${sideColumns("newer")}, ${sideColumns("older")}, coalesce(f.detected_status, f.status) as status, f.rule, f.confidence,
  f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at as found_at, ${CONFLICT_STATE} as state,
  f.reviewed_at, f.reviewed_by`;

type Prefixed<Side extends string> = { readonly [K in keyof ConflictSide as `${Side}_${K}`]: ConflictSide[K] };

/** The same as a statement gives it. */
export interface RawConflict
  extends Prefixed<"newer">,
    Prefixed<"older">,
    Pick<FoundConflict, "status" | "rule" | "confidence" | "found_at" | "reviewed_at" | "reviewed_by"> {
  readonly newer_start: number;
  readonly newer_end: number;
  readonly older_start: number;
  readonly older_end: number;
  readonly state: ConflictState;
}

/** Row to noun. */
export function toConflict(raw: RawConflict): FoundConflict {
  const { status, rule, confidence, found_at, state, reviewed_at, reviewed_by } = raw;
  return {
    newer: {
      id: raw.newer_id,
      content: raw.newer_content,
      status: raw.newer_status,
      agent_id: raw.newer_agent_id,
      fleet_id: raw.newer_fleet_id,
      memory_type: raw.newer_memory_type,
      created_at: raw.newer_created_at,
      ts_valid_start: raw.newer_ts_valid_start,
    },
    older: {
      id: raw.older_id,
      content: raw.older_content,
      status: raw.older_status,
      agent_id: raw.older_agent_id,
      fleet_id: raw.older_fleet_id,
      memory_type: raw.older_memory_type,
      created_at: raw.older_created_at,
      ts_valid_start: raw.older_ts_valid_start,
    },
    newer_span: { start: raw.newer_start, end: raw.newer_end },
    older_span: { start: raw.older_start, end: raw.older_end },
    status,
    rule,
    confidence,
    found_at,
    state,
    reviewed_at,
    reviewed_by,
  };
}
