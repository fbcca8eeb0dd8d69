import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { byteLength } from "../../core/kernel/text.ts";
import { SLUG } from "../../core/schema/common.ts";
import type { SkillSource, SkillStatus } from "../../core/schema/skill.ts";
import { addressesOf, SKILL_DOC_ID, SKILL_KINDS, SKILL_SOURCES, slugOf } from "../../core/schema/skill.ts";
import type { SkillsFactory } from "./factory.ts";
import type { SkillRole } from "./transitions.ts";
import { isStatus, WRITES } from "./transitions.ts";

const REQUIRED = ["name", "slug", "description", "domain", "kind", "source"] as const;

/**
 * Which sources a role may write; the last is what it is told of when it wrote another. What is `imported` came by a
 * migration, which no caller is.
 */
const SOURCES: Readonly<Record<SkillRole, readonly SkillSource[]>> = {
  agent: ["agent"],
  admin: ["manual", "agent"],
  worker: ["forge"],
};
const WHOSE: Readonly<Record<SkillSource, string>> = {
  agent: "whoever calls",
  manual: "administrators",
  forge: "the Forge",
  imported: "a migration",
};

/** What the rules need to know of a skill that they let pass. */
export interface CheckedSkill {
  readonly slug: string;
  readonly kind: (typeof SKILL_KINDS)[number];
  readonly source: SkillSource;
  readonly status: SkillStatus;
  readonly content: string;
}

/** Throws INVALID_ARGUMENTS for a doc_id that no skill can have. */
export function requireSkillAddress(doc_id: string): void {
  if (SKILL_DOC_ID.test(doc_id)) return;
  throw new AppError("INVALID_ARGUMENTS", "A skill's doc_id is its slug, or agent/<slug> or forge/<slug>.", {
    loc: ["body", "doc_id"],
  });
}

/** The rules of a skill's form and of who may write what, in the order of the interface. Throws INVALID_ARGUMENTS, FORBIDDEN. */
export function checkSkill(data: JsonObject, role: SkillRole, factory: SkillsFactory): CheckedSkill {
  for (const key of REQUIRED) if (data[key] === undefined) throw fault(key, "is required for a skill");
  const { slug, kind, source } = checkForm(data);
  requireSource(source, role);
  const status = statusOf(data.status, role);
  requireWithin(data.description, "description", factory.description_max_bytes);
  return { slug, kind, source, status, content: contentOf(data, factory.body_max_bytes) };
}

/** The doc_id that a skill is stored under: where it comes from, and its slug. Throws INVALID_ARGUMENTS for another. */
export function addressFor(doc_id: string, { slug, source }: Pick<CheckedSkill, "slug" | "source">): string {
  const address = source === "agent" || source === "forge" ? `${source}/${slug}` : slug;
  if (doc_id === address || doc_id === slug) return address;
  const named = addressesOf(slug).includes(doc_id) ? `A skill of source ${source} lies at '${address}'` : null;
  const message = named ?? `The doc_id names '${slugOf(doc_id)}', data.slug '${slug}'`;
  throw new AppError("INVALID_ARGUMENTS", `${message}.`, { loc: ["body", "doc_id"] });
}

function checkForm(data: JsonObject): Pick<CheckedSkill, "slug" | "kind" | "source"> {
  for (const key of REQUIRED) {
    const value = data[key];
    if (typeof value !== "string" || value.trim() === "") throw fault(key, "must be a text that is not blank");
  }
  const slug = String(data.slug);
  if (!SLUG.test(slug)) throw fault("slug", `must match ${SLUG.source}, without a prefix`);
  const kind = SKILL_KINDS.find((name) => name === data.kind);
  if (!kind) throw fault("kind", `must be ${SKILL_KINDS.join(" or ")}`);
  const source = SKILL_SOURCES.find((name) => name === data.source);
  if (!source) throw fault("source", `must be one of ${SKILL_SOURCES.join(", ")}`);
  const { tags } = data;
  const isList = tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === "string"));
  if (!isList) throw fault("tags", "must be a list of texts");
  return { slug, kind, source };
}

function requireSource(source: SkillSource, role: SkillRole): void {
  if (SOURCES[role].includes(source)) return;
  throw new AppError("FORBIDDEN", `Source ${source} is for ${WHOSE[source]}; write source ${SOURCES[role].at(-1)}.`);
}

/** The status asked for, or the one that a new skill has; which ones may be asked for is for the table of writes to say. */
function statusOf(asked: JsonValue | undefined, role: SkillRole): SkillStatus {
  if (asked === undefined || asked === null) return role === "worker" ? "candidate" : "staged";
  if (!isStatus(asked)) throw fault("status", "is no status of a skill");
  if (asked !== "quarantined" && WRITES[role].to.includes(asked)) return asked;
  const who = asked === "active" ? "Only an administrator writes an active skill" : `Status ${asked} is set by Cairn`;
  throw new AppError("FORBIDDEN", `${who}; leave the status out.`);
}

function contentOf({ content }: JsonObject, maxBytes: number): string {
  if (typeof content !== "string" || content.trim() === "") throw fault("content", "must be a text that is not blank");
  requireWithin(content, "content", maxBytes);
  return content;
}

/** Throws INVALID_ARGUMENTS for a text of more UTF-8 bytes than allowed. */
export function requireWithin(text: JsonValue | undefined, member: string, maxBytes: number): void {
  if (typeof text !== "string") return;
  const bytes = byteLength(text);
  if (bytes > maxBytes) throw fault(member, `has ${bytes} bytes, at most ${maxBytes} are allowed`);
}

/** A fault of one member of data. */
export const fault = (member: string, message: string): AppError =>
  new AppError("INVALID_ARGUMENTS", `data.${member} ${message}.`, { loc: ["body", "data", member] });
