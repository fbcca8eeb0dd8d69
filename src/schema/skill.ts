import { z } from "zod";

/** The collection whose documents are skills. */
export const SKILLS = "skills";
/** A skill's bare name. */
export const SKILL_SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** The doc_id of a skill: its slug, after the mark of where it comes from. */
export const SKILL_DOC_ID = /^(?:forge\/|agent\/)?[a-z0-9][a-z0-9._-]{0,99}$/;

export const SKILL_SOURCES = ["agent", "forge", "manual", "imported"] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

export const SKILL_STATUSES = [
  "candidate",
  "staged",
  "active",
  "rejected",
  "quarantined",
  "stale",
  "deprecated",
] as const;
export const SkillStatus = z.enum(SKILL_STATUSES).meta({ id: "SkillStatus" });
export type SkillStatus = z.infer<typeof SkillStatus>;
