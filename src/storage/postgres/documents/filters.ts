import type { SQL } from "drizzle-orm";
import { and, eq, sql } from "drizzle-orm";
import type { DocumentHitQuery, SkillVisibility } from "../../../core/ports/document-store.ts";
import { SKILL_UPDATES, SKILLS } from "../../../core/schema/skill.ts";
import { documents } from "../engine/tables.ts";
import { textArray } from "../engine/values.ts";

/** Whose documents are meant, in which collection and fleet, and which skills the caller sees. */
export type DocumentScope = Pick<DocumentHitQuery, "tenant_id" | "collection" | "fleet_id" | "skill_visibility">;

/** What must hold of `documents`; the tenant always comes first. */
export const scopeWhere = ({ tenant_id, collection, fleet_id, skill_visibility }: DocumentScope): SQL =>
  and(
    eq(documents.tenant_id, tenant_id),
    collection === undefined ? undefined : eq(documents.collection, collection),
    fleet_id === undefined ? undefined : eq(documents.fleet_id, fleet_id),
    skill_visibility ? isVisible(skill_visibility) : undefined,
  ) ?? sql`true`;

/** What a caller who sees only active skills sees. */
const isVisible = ({ fleets }: SkillVisibility): SQL =>
  sql`(${documents.collection} not in (${SKILLS}, ${SKILL_UPDATES})
    or (${documents.data} ->> 'status' = 'active' and ${ofFleets(fleets)}))`;

/** Documents of these fleets and of none. */
export const ofFleets = (fleets: SkillVisibility["fleets"]): SQL =>
  fleets === "all"
    ? sql`true`
    : sql`(${documents.fleet_id} is null or ${documents.fleet_id} = any(${textArray(fleets)}))`;
