import { z } from "zod";
import { DOCUMENT_LIST_MAX, DOCUMENT_SEARCH_MAX } from "../../core/schema/document.ts";
import { SKILLS } from "../../core/schema/skill.ts";
import { ToolError } from "../tool-error.ts";
import type { LegacyCall, LegacyList } from "./declare.ts";

const ACTIVE = "active";
const Settings = z.object({ skills_factory: z.object({ enabled: z.boolean() }) });

/**
 * Whether the tenant delivers skills, so that these tools show active ones alone: to administrators, too, for an agent on the
 * owner's machine is one.
 */
export async function deliversSkills(call: LegacyCall): Promise<boolean> {
  return Settings.parse(await call.ask("getSettings", {})).skills_factory.enabled;
}

type Where = Readonly<Record<string, unknown>> | undefined;

/** A query's conditions; for skills that are delivered, active ones. Throws INVALID_ARGUMENTS when another status is asked for. */
export async function deliveredWhere(call: LegacyCall, collection: string, where: Where): Promise<Where> {
  if (collection !== SKILLS || !(await deliversSkills(call))) return where;
  const { status = ACTIVE } = where ?? {};
  if (status === ACTIVE) return { ...where, status };
  throw new ToolError("INVALID_ARGUMENTS", "Only active skills are shown here: leave status out of where.");
}

interface Sought<H> {
  readonly collection: string | undefined;
  readonly top_k: number;
  /** The best so many. */
  readonly hits: (many: number) => Promise<readonly H[]>;
}

/** The best `top_k` of what a search finds, skills that are not delivered left out. */
export async function activeOnly<H extends { collection: string; data: Readonly<Record<string, unknown>> }>(
  call: LegacyCall,
  { collection, top_k, hits }: Sought<H>,
): Promise<readonly H[]> {
  const mayHold = collection === undefined || collection === SKILLS;
  if (!mayHold || !(await deliversSkills(call))) return hits(top_k);
  const all = await hits(DOCUMENT_SEARCH_MAX);
  return all.filter((hit) => hit.collection !== SKILLS || hit.data.status === ACTIVE).slice(0, top_k);
}

/** How many active skills there are; null where skills are documents like any other. */
export async function activeSkills(call: LegacyCall, fleet_id: string | undefined): Promise<number | null> {
  if (!(await deliversSkills(call))) return null;
  let count = 0;
  for (let offset: number | null = 0; offset !== null; ) {
    const body = { collection: SKILLS, where: { status: ACTIVE }, fleet_id, limit: DOCUMENT_LIST_MAX, offset };
    const page: LegacyList = await call.askList("queryDocuments", { body });
    count += page.items.length;
    offset = page.next_offset;
  }
  return count;
}
