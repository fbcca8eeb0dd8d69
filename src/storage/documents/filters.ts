import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentFilter, DocumentHitQuery, SkillVisibility } from "../../core/ports/document-store.ts";
import { SKILL_UPDATES, SKILLS } from "../../core/schema/skill.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { havingMembers } from "./members.ts";

/** Whose documents are meant, in which collection and fleet, and which skills the caller sees. */
export type DocumentScope = Pick<DocumentHitQuery, "tenant_id" | "collection" | "fleet_id" | "skill_visibility">;

/** What must hold of `documents`; the tenant always comes first. */
export function scopeWhere(dialect: SqlDialect, scope: DocumentScope): SQL {
  const { tenant_id, collection, fleet_id, skill_visibility } = scope;
  const clauses = [sql`documents.tenant_id = ${tenant_id}`];
  if (collection !== undefined) clauses.push(sql`documents.collection = ${collection}`);
  if (fleet_id !== undefined) clauses.push(sql`documents.fleet_id = ${fleet_id}`);
  if (skill_visibility) clauses.push(isVisible(dialect, skill_visibility));
  return sql.join(clauses, sql` and `);
}

/** What a caller who sees only active skills sees. */
const isVisible = (dialect: SqlDialect, { fleets }: SkillVisibility): SQL =>
  sql`(documents.collection not in (${SKILLS}, ${SKILL_UPDATES})
    or (documents.data ->> 'status' = 'active' and ${ofFleets(dialect, fleets)}))`;

/** Documents of these fleets and of none. */
export const ofFleets = (dialect: SqlDialect, fleets: SkillVisibility["fleets"]): SQL =>
  fleets === "all" ? sql`true` : sql`(documents.fleet_id is null or ${dialect.isIn(sql`documents.fleet_id`, fleets)})`;

/** The documents of a list. */
export function documentWhere(dialect: SqlDialect, filter: DocumentFilter): SQL {
  const { tenant_id, collection, fleet_id, where = {}, approved, skill_visibility } = filter;
  const clauses = [scopeWhere(dialect, { tenant_id, collection, fleet_id: fleet_id ?? undefined })];
  if (fleet_id === null) clauses.push(sql`documents.fleet_id is null`);
  if (skill_visibility) clauses.push(ofFleets(dialect, skill_visibility.fleets));
  if (approved) clauses.push(sql`documents.approval is not null`);
  if (Object.keys(where).length > 0)
    clauses.push(sql`documents.seq in ${havingMembers(dialect, { tenant_id, collections: [collection], where })}`);
  return sql.join(clauses, sql` and `);
}
