import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CandidateQuery, ClaimKey, ConflictCandidate, StatedQuery } from "../../core/ports/contradiction-store.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import { MEMORY_COLUMNS, memoriesOf } from "../memories/rows.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";
import { putClaim } from "./claims.ts";

/** Rows that a claim may contribute, and the newest rows of a claim or an entity that are looked through. */
export const BY_CLAIM_MAX = 12;
export const LOOKED_THROUGH_MAX = 256;

const LIVE = sql.raw(LIVE_STATUSES.map((status) => `'${status}'`).join(", "));

/** Rows of `memories`, beside what they are found by, and what tells which. */
export interface Rows {
  readonly from: SQL;
  readonly which: SQL;
}

/**
 * Narrows rows to those that a row may contradict, checked or not, as a first sieve: whether a pair may clash is decided by
 * whoever asks.
 */
export function among(
  { dialect }: Work,
  { from, which }: Rows,
  { memory, now, happened_at }: Pick<CandidateQuery, "memory" | "now" | "happened_at">,
): SQL {
  const { tenant_id, fleet_id, agent_id, visibility } = memory;
  // A private row has no readers but its author.
  const orShared = visibility === "scope_agent" ? sql`` : sql`or memories.visibility <> 'scope_agent'`;
  return sql`from ${from}
      left join memory_checks checked on ${dialect.tenant("checked", tenant_id)} and checked.memory_seq = memories.seq
    where ${dialect.belongs("memories", tenant_id)} and ${which} and memories.id <> ${memory.id}
      and memories.fleet_id ${fleet_id === null ? sql`is null` : sql`= ${fleet_id}`}
      and memories.deleted_at is null and (memories.expires_at is null or memories.expires_at > ${now})
      and (memories.agent_id = ${agent_id} ${orShared})
      and (memories.status in (${LIVE}) or (checked.former_status is not null and (memories.status = 'conflicted'
        or memories.created_at >= ${happened_at} or memories.ts_valid_start >= ${happened_at})))`;
}

/** The newest rows of a claim. */
export const claiming = (
  { tenant_id, fleet_id }: Pick<CandidateQuery["memory"], "tenant_id" | "fleet_id">,
  { subject_key, predicate }: ClaimKey,
): Rows => ({
  from: sql`(select memory_seq as seq from memory_claims
      where tenant_id = ${tenant_id} and fleet_id = ${fleet_id ?? ""} and subject_key = ${subject_key}
        and predicate = ${predicate}
      order by memory_seq desc limit ${int(LOOKED_THROUGH_MAX)}) found cross join memories`,
  which: sql`memories.seq = found.seq`,
});

/**
 * Files what a row states, inside the caller's transaction, and finds the rows that state something of the same, checked or not,
 * newest first.
 */
export function* findStated(work: TenantWork, query: StatedQuery): Unit<ConflictCandidate[]> {
  const { memory, claim } = query;
  const stated = yield* row<{ seq: number; fleet_id: string | null }>(sql`select seq, fleet_id from memories
    where ${work.dialect.belongs("memories", work.tenant_id)} and id = ${memory.id} and deleted_at is null`);
  if (!stated) return [];
  yield* putClaim(work, stated, claim);
  const found = yield* memoriesOf(sql`select ${MEMORY_COLUMNS} ${among(work, claiming(memory, claim), query)}
    order by memories.seq desc limit ${int(BY_CLAIM_MAX)}`);
  return found.map((memory) => ({ memory, closeness: null, shared_words: 0 }));
}
