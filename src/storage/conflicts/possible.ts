import { sql } from "drizzle-orm";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { PossibleNewer, StandingTexts } from "../../core/ports/observing/possible-conflicts.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { memoryWhere } from "../memories/filters.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { PREVIEW_LENGTH } from "./read.ts";

/** Decisions that are looked through for near repeats. */
const SAID_MAX = 200;
/** Newer rows shown of one that may have changed. */
const POSSIBLE_MAX = 3;

/** Live rows by which each of some rows may hold no longer, the surest of those that the reader sees. */
export function possibleNewer(
  { dialect }: Work,
  tenant_id: string,
  ids: readonly string[],
  read_scope: ReadScope,
): Unit<PossibleNewer[]> {
  const live = { tenant_id, read_scope, statuses: LIVE_STATUSES };
  return rows<PossibleNewer>(sql`select older_id, id, created_at, rule, certainty, preview from (
    select older.id as older_id, memories.id, memories.created_at, f.rule, f.confidence as certainty,
      substr(memories.content, 1, ${int(PREVIEW_LENGTH)}) as preview,
      row_number() over (partition by older.seq order by f.confidence desc, f.id desc) as place
    from memories older
      ${dialect.nested} findings f on ${dialect.belongs("f", tenant_id)} and f.older_seq = older.seq
        and f.retracted_at is null and f.status = ${POSSIBLE}
      ${dialect.nested} memories on memories.seq = f.newer_seq
    where ${dialect.belongs("older", tenant_id)} and ${dialect.isIn(sql`older.id`, ids)}
      and ${memoryWhere(dialect, live)}) found
    where place <= ${int(POSSIBLE_MAX)} order by certainty desc, created_at desc, id desc`);
}

/** The texts of pairs that somebody said to stand, as they were then, the last of them. */
export const saidToStand = (
  { dialect }: Work,
  { tenant_id, fleet_id, agent_id }: Pick<StoredMemory, "tenant_id" | "fleet_id" | "agent_id">,
): Unit<StandingTexts[]> =>
  rows<StandingTexts>(sql`select newer.content as one, older.content as other
    from findings f ${dialect.indexed("findings_said_to_stand")}
      ${dialect.nested} memories newer on ${dialect.belongs("newer", tenant_id)} and newer.seq = f.newer_seq
        and newer.content_hash = f.newer_hash
      ${dialect.nested} memories older on ${dialect.belongs("older", tenant_id)} and older.seq = f.older_seq
        and older.content_hash = f.older_hash
    where f.tenant_id = ${tenant_id} and f.review = 'both_stand'
      and newer.deleted_at is null and older.deleted_at is null
      and newer.fleet_id ${fleet_id === null ? sql`is null` : sql`= ${fleet_id}`}
      and (newer.visibility <> 'scope_agent' or newer.agent_id = ${agent_id})
      and (older.visibility <> 'scope_agent' or older.agent_id = ${agent_id})
    order by f.reviewed_at desc limit ${int(SAID_MAX)}`);
