import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { Audience, AudienceKey } from "../../common/audiences.ts";
import { audienceOwner, isOfFleets, isReader, storedAmong } from "../../common/audiences.ts";
import type { TenantWork, Work } from "../engine/work.ts";

type Author = Pick<AudienceKey, "agent_id" | "fleet_id">;

/** The agent's number, created on its first write; its home is the fleet it first writes in. */
export async function authorOf(work: TenantWork, { agent_id, fleet_id }: Author, now: string): Promise<number> {
  const { tenant_id } = work;
  const number = () =>
    work.row<{ seq: number }>(sql`select seq from agents where tenant_id = ${tenant_id} and agent_id = ${agent_id}`);
  const known = await number();
  if (known) return known.seq;
  await work.run(sql`insert into agents (tenant_id, agent_id, fleet_id, created_at, updated_at)
    values (${tenant_id}, ${agent_id}, ${fleet_id}, ${now}, ${now}) on conflict do nothing`);
  const row = await number();
  if (!row) throw new Error("The agent row just written cannot be read.");
  return row.seq;
}

/** The number of the set of readers that a memory with these owners has. */
export async function audienceOf(work: TenantWork, key: Omit<AudienceKey, "tenant_id">): Promise<number> {
  const { tenant_id } = work;
  const owner = audienceOwner({ ...key, tenant_id });
  const number = () =>
    work.row<{ id: number }>(
      sql`select id from audiences where tenant_id = ${tenant_id} and kind = ${key.visibility} and owner = ${owner}`,
    );
  const known = await number();
  if (known) return known.id;
  await work.run(sql`insert into audiences (tenant_id, kind, owner)
    values (${tenant_id}, ${key.visibility}, ${owner}) on conflict do nothing`);
  const row = await number();
  if (!row) throw new Error("The audience row just written cannot be read.");
  return row.id;
}

/** How many rows that are not deleted a reader sees. */
export const storedForReader = async (work: Work, read_scope: ReadScope): Promise<number> =>
  storedAmong(await audiencesOf(work, read_scope.tenant_id), read_scope);

/** The agent's number, or one that no row has when the agent never wrote. */
export async function authorNumber(work: Work, tenant_id: string, agent_id: string): Promise<number> {
  const row = await work.row<{ seq: number }>(
    sql`select seq from agents where tenant_id = ${tenant_id} and agent_id = ${agent_id}`,
  );
  return row?.seq ?? -1;
}

/** Of some audiences, those whose rows can pass a filter. */
export const passingAudiences = (
  all: readonly Audience[],
  { read_scope, fleets, visibility }: MemoryFilter,
): Audience[] =>
  all
    .filter(({ kind }) => visibility === undefined || kind === visibility)
    .filter((audience) => isReader(audience, read_scope) && isOfFleets(audience, fleets));

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = (work: Work, tenant_id: string): Promise<Audience[]> =>
  work.rows<Audience>(sql`select a.id, a.kind, a.owner, coalesce(r.stored, 0) as stored
    from audiences a left join audience_rows r on r.tenant_id = a.tenant_id and r.audience = a.id
    where a.tenant_id = ${tenant_id} order by a.id`);
