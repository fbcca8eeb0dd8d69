import { sql } from "drizzle-orm";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** What makes two rows the same statement of the same author to the same readers. */
export type Told = Pick<StoredMemory, "content_hash" | "agent_id" | "visibility">;

/** What is told, as a text: equal where two rows say the same. */
export const toldText = ({ content_hash, agent_id, visibility }: Told): string =>
  JSON.stringify([content_hash, agent_id, visibility]);

/** The statuses of rows that stand: what was superseded or withdrawn is no twin. */
const STANDING = ["active", "confirmed", "pending"];

/** Whether a row stands at this moment, so that another one that says the same is its twin. */
export const isLive = ({ status, expires_at }: Pick<StoredMemory, "status" | "expires_at">, now: string): boolean =>
  STANDING.includes(status) && (expires_at === null || expires_at > now);

/** The ids of the live rows that say the same at this moment, oldest first. */
export async function liveDuplicates(work: TenantWork, told: Told, now: string): Promise<readonly string[]> {
  return (await liveTwins(work, [told], now)).get(toldText(told)) ?? [];
}

const TWINS_OF = sql.raw(`m.content_hash = t.content_hash and m.agent_id = t.agent_id and m.visibility = t.visibility
  and m.deleted_at is null and m.status in (${STANDING.map((status) => `'${status}'`).join(", ")})`);

/** The same of several, by what they tell; those without twins are left out. */
export async function liveTwins(
  work: TenantWork,
  told: readonly Told[],
  now: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = new Map(told.map((one) => [toldText(one), one]));
  const wanted = [...asked.values()].map(({ content_hash, agent_id, visibility }) => ({
    content_hash,
    agent_id,
    visibility,
  }));
  const rows = await work.rows<Told & { id: string }>(sql`
    select m.id, m.content_hash, m.agent_id, m.visibility
    from json_to_recordset(${recordsValue(wanted)}) as t (content_hash text, agent_id text, visibility text)
      join memories m on m.tenant_id = ${work.tenant_id} and ${TWINS_OF}
    where m.expires_at is null or m.expires_at > ${now} order by m.seq`);
  const twins = new Map<string, string[]>();
  for (const row of rows) {
    const known = twins.get(toldText(row));
    if (known) known.push(row.id);
    else twins.set(toldText(row), [row.id]);
  }
  return twins;
}
