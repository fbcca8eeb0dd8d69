import * as shared from "../../accounts/audiences.ts";
import type { Audience } from "../../common/audiences.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** The agent's number, or one that no row has when the agent never wrote. */
export const authorNumber = (work: Work, tenant_id: string, agent_id: string): Promise<number> =>
  drive(work, shared.authorNumber(tenant_id, agent_id));

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = (work: Work, tenant_id: string): Promise<Audience[]> =>
  drive(work, shared.audiencesOf({ dialect }, tenant_id));
