import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import * as shared from "../../accounts/audiences.ts";
import * as usage from "../../accounts/usage.ts";
import type { Audience, AudienceKey } from "../../common/audiences.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

type Author = Pick<AudienceKey, "agent_id" | "fleet_id">;

/** The agent's number, created on its first write; its home is the fleet it first writes in. */
export const authorOf = (work: TenantWork, author: Author, now: string): Promise<number> =>
  drive(work, shared.authorOf({ dialect, tenant_id: work.tenant_id }, author, now));

/** The number of the set of readers that a memory with these owners has. */
export const audienceOf = (work: TenantWork, key: Omit<AudienceKey, "tenant_id">): Promise<number> =>
  drive(work, shared.audienceOf({ dialect, tenant_id: work.tenant_id }, key));

/** How many rows that are not deleted a reader sees. */
export const storedForReader = (work: Work, read_scope: ReadScope): Promise<number> =>
  drive(work, usage.storedForReader({ dialect }, read_scope));

/** The agent's number, or one that no row has when the agent never wrote. */
export const authorNumber = (work: Work, tenant_id: string, agent_id: string): Promise<number> =>
  drive(work, shared.authorNumber(tenant_id, agent_id));

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = (work: Work, tenant_id: string): Promise<Audience[]> =>
  drive(work, shared.audiencesOf({ dialect }, tenant_id));
