import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { CandidateQuery, ClaimKey } from "../../../core/ports/contradiction-store.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import { textArray } from "../engine/values.ts";

/** Newest rows of a claim or an entity that are looked through. */
export const LOOKED_THROUGH_MAX = 256;

const LIVE = sql.raw(LIVE_STATUSES.map((status) => `'${status}'`).join(", "));

/**
 * Narrows numbers of rows to those of rows that a row may contradict, checked or not, as a first sieve: whether a pair may
 * clash is decided by whoever asks. `numbers` selects a `seq` and a `place`, and so does this.
 */
export const among = (
  numbers: SQL,
  { memory, now, happened_at }: Pick<CandidateQuery, "memory" | "now" | "happened_at">,
  seq: number,
): SQL => sql`
  select memories.seq, found.place from (${numbers}) found
    join memories on memories.tenant_id = ${memory.tenant_id} and memories.seq = found.seq
    left join memory_checks checked on checked.tenant_id = memories.tenant_id and checked.memory_seq = memories.seq
  where memories.seq <> ${seq} and memories.fleet_id is not distinct from ${memory.fleet_id}::text
    and memories.deleted_at is null and (memories.expires_at is null or memories.expires_at > ${now})
    and (memories.agent_id = ${memory.agent_id} ${orShared(memory)})
    and (memories.status in (${LIVE}) or (checked.former_status is not null
      and (memories.status = 'conflicted'
        or greatest(memories.created_at, coalesce(memories.ts_valid_start, '')) >= ${happened_at})))`;

/** A private row has no readers but its author. */
const orShared = ({ visibility }: CandidateQuery["memory"]): SQL =>
  visibility === "scope_agent" ? sql`` : sql`or memories.visibility <> 'scope_agent'`;

/** The same of rows that were checked as they are, or count as such. */
export const amongCandidates = (numbers: SQL, query: CandidateQuery, seq: number): SQL => sql`
  ${among(numbers, query, seq)} and (checked.content_hash = memories.content_hash
    or memories.id = any(${textArray(query.unrecorded.map(({ id }) => id))}))`;

/** Numbers of the newest rows of a claim, newest first by their places. */
export const claiming = (
  { tenant_id, fleet_id }: Pick<CandidateQuery["memory"], "tenant_id" | "fleet_id">,
  { subject_key, predicate }: ClaimKey,
): SQL => sql`select memory_seq as seq, -memory_seq as place from memory_claims
  where tenant_id = ${tenant_id} and fleet_id = ${fleet_id ?? ""} and subject_key = ${subject_key}
    and predicate = ${predicate}
  order by memory_seq desc limit ${sql.raw(String(LOOKED_THROUGH_MAX))}`;
