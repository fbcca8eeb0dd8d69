import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import * as shared from "../../accounts/audiences.ts";
import type { Audience } from "../../common/audiences.ts";
import { passingAudiences } from "../../common/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { sqliteDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** The agent's number, or one that no row has when the agent never wrote. */
export const authorNumber = (db: Connections, tenant_id: string, agent_id: string): number =>
  drive(db.readConnection, shared.authorNumber(tenant_id, agent_id));

/** The audiences whose rows can pass the filter; null when that is all of the tenant's, so that nothing need be filtered. */
export function narrowedAudiences(db: Connections, filter: MemoryFilter): number[] | null {
  const all = audiencesOf(db, filter.tenant_id);
  const kept = passingAudiences(all, filter);
  return kept.length === all.length ? null : kept.map(({ id }) => id);
}

/** The audiences whose rows can pass the filter. */
export const audiencesWithin = (db: Connections, filter: MemoryFilter): number[] =>
  passingAudiences(audiencesOf(db, filter.tenant_id), filter).map(({ id }) => id);

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = (db: Connections, tenant_id: string): Audience[] =>
  drive(db.readConnection, shared.audiencesOf({ dialect }, tenant_id));
