import { and, eq } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { Audience, AudienceKey } from "../../common/audiences.ts";
import { audienceOwner, isOfFleets, isReader, storedAmong } from "../../common/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { agents, audiences } from "../engine/tables.ts";

type Author = Pick<AudienceKey, "tenant_id" | "agent_id" | "fleet_id">;

/** The agent's number, created on its first write; its home is the fleet it first writes in. */
export function authorOf(db: Connections, { tenant_id, agent_id, fleet_id }: Author, now: string): number {
  db.drizzleWrite
    .insert(agents)
    .values({ tenant_id, agent_id, fleet_id, created_at: now, updated_at: now })
    .onConflictDoNothing()
    .run();
  const found = db.drizzleWrite.select({ seq: agents.seq }).from(agents);
  const row = found.where(and(eq(agents.tenant_id, tenant_id), eq(agents.agent_id, agent_id))).get();
  if (!row) throw new Error("The agent row just written cannot be read.");
  return row.seq;
}

/** The number of the set of readers that a memory with these owners has. */
export function audienceOf(db: Connections, key: AudienceKey): number {
  const owner = audienceOwner(key);
  const values = { tenant_id: key.tenant_id, kind: key.visibility, owner };
  db.drizzleWrite.insert(audiences).values(values).onConflictDoNothing().run();
  const same = and(
    eq(audiences.tenant_id, key.tenant_id),
    eq(audiences.kind, key.visibility),
    eq(audiences.owner, owner),
  );
  const row = db.drizzleWrite.select({ id: audiences.id }).from(audiences).where(same).get();
  if (!row) throw new Error("The audience row just written cannot be read.");
  return row.id;
}

/** How many rows that are not deleted a reader sees. */
export const storedForReader = (db: Connections, read_scope: ReadScope): number =>
  storedAmong(audiencesOf(db, read_scope.tenant_id), read_scope);

/** The agent's number, or one that no row has when the agent never wrote. */
export function authorNumber(db: Connections, tenant_id: string, agent_id: string): number {
  const named = and(eq(agents.tenant_id, tenant_id), eq(agents.agent_id, agent_id));
  return db.drizzleRead.select({ seq: agents.seq }).from(agents).where(named).get()?.seq ?? -1;
}

/** The audiences whose rows can pass the filter; null when that is all of the tenant's, so that nothing need be filtered. */
export function narrowedAudiences(db: Connections, filter: MemoryFilter): number[] | null {
  const kept = audiencesWithin(db, filter);
  return kept.length === audiencesOf(db, filter.tenant_id).length ? null : kept;
}

/** The audiences whose rows can pass the filter. */
export const audiencesWithin = (
  db: Connections,
  { tenant_id, read_scope, fleets, visibility }: MemoryFilter,
): number[] =>
  audiencesOf(db, tenant_id)
    .filter(({ kind }) => visibility === undefined || kind === visibility)
    .filter((audience) => isReader(audience, read_scope) && isOfFleets(audience, fleets))
    .map(({ id }) => id);

// As a text: every search asks it, and building the statement costs more than running it.
const AUDIENCES = `select a.id, a.kind, a.owner, coalesce(r.stored, 0) as stored
  from audiences a left join audience_rows r on r.audience = a.id where a.tenant_id = ? order by a.id`;

/** The sets of readers that rows of a tenant have, in the order of their numbers. */
export const audiencesOf = (db: Connections, tenant_id: string): Audience[] =>
  db.readConnection.query<Audience, [string]>(AUDIENCES).all(tenant_id);
