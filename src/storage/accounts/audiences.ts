import { sql } from "drizzle-orm";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { Audience, AudienceKey } from "../common/audiences.ts";
import { audienceOwner, isForAll, isReader } from "../common/audiences.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

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
