import { sql } from "drizzle-orm";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { Columns } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** What makes two rows the same statement of the same author to the same readers. */
export type Told = Pick<StoredMemory, "content_hash" | "agent_id" | "visibility">;
const TOLD: Columns = { content_hash: "text", agent_id: "text", visibility: "text" };

/** What is told, as a text: equal where two rows say the same; a hash and what says who reads it have no blanks. */
export const toldText = ({ content_hash, agent_id, visibility }: Told): string =>
  `${content_hash} ${visibility} ${agent_id}`;

/** The statuses of rows that stand: what was superseded or withdrawn is no twin. */
const STANDING = ["active", "confirmed", "pending"];
const IS_STANDING = sql.raw(`m.status in (${STANDING.map((status) => `'${status}'`).join(", ")})`);

/** Whether a row stands at this moment, so that another one that says the same is its twin. */
export const isLive = ({ status, expires_at }: Pick<StoredMemory, "status" | "expires_at">, now: string): boolean =>
  STANDING.includes(status) && (expires_at === null || expires_at > now);

/** The ids of the live rows that say the same at this moment, oldest first. */
export function* liveDuplicates(work: TenantWork, told: Told, now: string): Unit<readonly string[]> {
  return (yield* liveTwins(work, [told], now)).get(toldText(told)) ?? [];
}

/** The same of several, by what they tell; those without twins are left out. */
export function* liveTwins(
  { dialect, tenant_id }: TenantWork,
  told: readonly Told[],
  now: string,
): Unit<ReadonlyMap<string, readonly string[]>> {
  const wanted = [...new Map(told.map((one) => [toldText(one), one])).values()].map(
    ({ content_hash, agent_id, visibility }) => ({ content_hash, agent_id, visibility }),
  );
  const found = yield* dialect.each<{ id: string }>(
    wanted,
    TOLD,
    (
      one,
    ) => sql`select m.id from memories m where m.tenant_id = ${tenant_id} and m.content_hash = ${one.of("content_hash")}
      and m.agent_id = ${one.of("agent_id")} and m.visibility = ${one.of("visibility")} and m.deleted_at is null
      and ${IS_STANDING} and (m.expires_at is null or m.expires_at > ${now}) order by m.seq`,
  );
  const twins = new Map<string, string[]>();
  for (const { place, id } of found) {
    const same = wanted[place];
    if (same) twins.set(toldText(same), [...(twins.get(toldText(same)) ?? []), id]);
  }
  return twins;
}
