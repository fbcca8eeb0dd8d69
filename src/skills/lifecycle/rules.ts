import type { Fault } from "../../core/kernel/errors.ts";
import { AppError, InvalidArguments } from "../../core/kernel/errors.ts";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { byteLength } from "../../core/kernel/text.ts";
import { SLUG } from "../../core/schema/common.ts";
import type { SkillSource, SkillStatus } from "../../core/schema/skill.ts";
import { addressesOf, SKILL_DOC_ID, SKILL_KINDS, SKILL_SOURCES, slugOf } from "../../core/schema/skill.ts";
import { targetOf } from "./binding.ts";
import type { SkillsFactory } from "./factory.ts";
import type { SkillRole } from "./transitions.ts";
import { isStatus, WRITES } from "./transitions.ts";

const REQUIRED = ["name", "slug", "description", "domain", "kind", "source", "content"] as const;

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
  // What is imported need not have all of it, and is for no caller to write.
  if (data.source === "imported") requireSource(data.source, role);
  const form = formOf(data);
  requireSource(form.source, role);
  const status = statusOf(data.status, role);
  requireWithin(data.description, "description", factory.description_max_bytes);
  requireWithin(form.content, "content", factory.body_max_bytes);
  return { ...form, status };
}

/** The doc_id that a skill is stored under: where it comes from, and its slug. Throws INVALID_ARGUMENTS for another. */
export function addressFor(doc_id: string, { slug, source }: Pick<CheckedSkill, "slug" | "source">): string {
  const address = source === "agent" || source === "forge" ? `${source}/${slug}` : slug;
  if (doc_id === address || doc_id === slug) return address;
  const named = addressesOf(slug).includes(doc_id) ? `A skill of source ${source} lies at '${address}'` : null;
  const message = named ?? `The doc_id names '${slugOf(doc_id)}', data.slug '${slug}'`;
  throw new AppError("INVALID_ARGUMENTS", `${message}.`, { loc: ["body", "doc_id"] });
}

/** What each member must be. Throws INVALID_ARGUMENTS with all that is missing or of another form. */
function formOf(data: JsonObject): Omit<CheckedSkill, "status"> {
  const { slug, kind, source, tags, content, target } = data;
  const texts = REQUIRED.map((key) => [key, textFaultOf(data[key])] as const);
  const isList = tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === "string"));
  const faults = [
    ...texts.flatMap(([key, wrong]) => (wrong === null ? [] : [faultAt(key, wrong, data[key] === undefined)])),
    ...(isText(slug) && !SLUG.test(slug) ? [faultAt("slug", `must match ${SLUG.source}, without a prefix`)] : []),
    ...(isText(kind) && !isKind(kind) ? [faultAt("kind", `must be ${SKILL_KINDS.join(" or ")}`)] : []),
    ...(isText(source) && !isSource(source) ? [faultAt("source", `must be one of ${SKILL_SOURCES.join(", ")}`)] : []),
    ...(isList ? [] : [faultAt("tags", "must be a list of texts")]),
    ...(kind === "update" && targetOf(data).hash === null ? [faultAt("target", NO_TARGET, target === undefined)] : []),
  ];
  if (isText(slug) && isKind(kind) && isSource(source) && isText(content) && faults.length === 0)
    return { slug, kind, source, content };
  throw new InvalidArguments(faults);
}

/** What an update lacks that names no hash. */
export const NO_TARGET = "needs target_content_hash: the hash of the skill that it changes";

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value.trim() !== "";
const isKind = (value: JsonValue | undefined): value is CheckedSkill["kind"] =>
  SKILL_KINDS.some((name) => name === value);
const isSource = (value: JsonValue | undefined): value is SkillSource => SKILL_SOURCES.some((name) => name === value);

const textFaultOf = (value: JsonValue | undefined): string | null => {
  if (value === undefined) return "is required for a skill";
  return isText(value) ? null : "must be a text that is not blank";
};

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

/** Throws INVALID_ARGUMENTS for a text of more UTF-8 bytes than allowed. */
export function requireWithin(text: JsonValue | undefined, member: string, maxBytes: number): void {
  if (typeof text !== "string") return;
  const bytes = byteLength(text);
  if (bytes > maxBytes) throw fault(member, `has ${bytes} bytes, at most ${maxBytes} are allowed`);
}

/** A fault of one member of data. */
export const fault = (member: string, message: string): AppError => new InvalidArguments([faultAt(member, message)]);

const faultAt = (member: string, message: string, is_missing = false): Fault => ({
  loc: ["body", "data", member],
  message: `data.${member} ${message}.`,
  is_missing,
});
