import { sql } from "drizzle-orm";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { Audience, AudienceKey } from "../common/audiences.ts";
import { audienceOwner, isForAll, isReader } from "../common/audiences.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";

type Author = Pick<AudienceKey, "agent_id" | "fleet_id">;

/** The agent's number, created on its first write; its home is the fleet it first writes in. */
export function* authorOf({ tenant_id }: TenantWork, { agent_id, fleet_id }: Author, now: string): Unit<number> {
  const known = yield* authorNumber(tenant_id, agent_id);
  if (known !== NOBODY) return known;
  const [added] = yield* rows<{ seq: number }>(sql`
    insert into agents (tenant_id, agent_id, fleet_id, created_at, updated_at)
    values (${tenant_id}, ${agent_id}, ${fleet_id}, ${now}, ${now}) returning seq`);
  if (!added) throw new Error("The agent row just written cannot be read.");
  return added.seq;
}

/** The agent's number, or one that no row has when the agent never wrote. */
export function* authorNumber(tenant_id: string, agent_id: string): Unit<number> {
  const found = yield* row<{ seq: number }>(
    sql`select seq from agents where tenant_id = ${tenant_id} and agent_id = ${agent_id}`,
  );
  return found?.seq ?? NOBODY;
}

const NOBODY = -1;

/** The number of the set of readers that a memory with these owners has. */
export function* audienceOf({ tenant_id }: TenantWork, key: Omit<AudienceKey, "tenant_id">): Unit<number> {
  const owner = audienceOwner(key);
  const known = yield* row<{ id: number }>(
    sql`select id from audiences where tenant_id = ${tenant_id} and kind = ${key.visibility} and owner = ${owner}`,
  );
  if (known) return known.id;
  const [added] = yield* rows<{ id: number }>(sql`
    insert into audiences (tenant_id, kind, owner) values (${tenant_id}, ${key.visibility}, ${owner}) returning id`);
  if (!added) throw new Error("The audience row just written cannot be read.");
  return added.id;
}

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = ({ dialect }: Work, tenant_id: string): Unit<Audience[]> =>
  rows<Audience>(sql`select a.id, a.kind, a.owner, coalesce(r.stored, 0) as stored
    from audiences a left join audience_rows r on ${dialect.tenant("r", tenant_id)} and r.audience = a.id
    where a.tenant_id = ${tenant_id} order by a.id`);

/** Those of them whose rows a reader sees. */
export function* readableAudiences(work: Work, read_scope: ReadScope): Unit<Audience[]> {
  const all = yield* audiencesOf(work, read_scope.tenant_id);
  return all.filter((audience) => isReader(audience, read_scope));
}

/** The audiences that everyone who reads rows with these owners belongs to, whether there are any or not. */
export function* widerThan(work: Work, key: AudienceKey): Unit<number[]> {
  const all = yield* audiencesOf(work, key.tenant_id);
  return all
    .filter((one) => isForAll(one) || (one.kind === key.visibility && one.owner === audienceOwner(key)))
    .map(({ id }) => id);
}
