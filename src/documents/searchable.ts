import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject, JsonValue } from "../core/kernel/json.ts";
import type { TextOf } from "../core/ports/storage.ts";
import { SKILLS } from "../core/schema/skill.ts";

/** Characters of a document's texts that keyword search reads. */
const TEXT_MAX = 64_000;

export interface Searchable {
  /** What search embeds: the summary after the words of the doc_id, which often name the subject better. */
  readonly summary: string;
  /** All texts of the document, for keywords. */
  readonly text: string;
}

/**
 * What search knows of a document: its summary (a skill's description when it has none), and its texts; null when it has
 * neither, so that search never reaches it. Throws INVALID_ARGUMENTS for a summary that is no text.
 */
export function searchableOf(collection: string, doc_id: string, data: JsonObject): Searchable | null {
  const summary = textMember(data, "summary") ?? (collection === SKILLS ? textMember(data, "description") : null);
  if (summary === null) return null;
  const name = nameIn(doc_id);
  const texts = allTexts(collection === SKILLS ? withoutStamps(data) : data);
  return {
    summary: name === "" ? summary : `${name}: ${summary}`,
    text: [doc_id, ...texts].join("\n").slice(0, TEXT_MAX),
  };
}

/** The same of a stored document. */
export const searchableText: TextOf = ({ collection, doc_id, data }) => searchableOf(collection, doc_id, data);

/** What Cairn itself notes on a skill says nothing of what it is for. */
const STAMPS: ReadonlySet<string> = new Set([
  "scan",
  "gates",
  "origin",
  "target",
  "content_hash",
  "cluster_fingerprint",
]);
const withoutStamps = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !STAMPS.has(name)));

/** The words of a doc_id such as `reset-password`; none for one of numbers and codes. */
const nameIn = (doc_id: string): string =>
  doc_id
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => /^\p{L}{2,}$/u.test(part))
    .join(" ");

function textMember(data: JsonObject, name: string): string | null {
  const value = data[name];
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new AppError("INVALID_ARGUMENTS", `data.${name} must be a text that is not blank.`, {
    loc: ["body", "data", name],
  });
}

function allTexts(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(allTexts);
}
