import { AppError } from "../kernel/errors.ts";
import type { JsonObject, JsonValue } from "../kernel/json.ts";

/** Characters of a document's texts that keyword search reads. */
const TEXT_MAX = 64_000;

export interface Searchable {
  /** What search embeds. */
  readonly summary: string;
  /** All texts of the document, for keywords. */
  readonly text: string;
}

/**
 * What search knows of a document: its summary (a skill's description when it has none), and its texts; null when it has
 * neither, so that search never reaches it. Throws INVALID_ARGUMENTS for a summary that is no text.
 */
export function searchableOf(collection: string, data: JsonObject): Searchable | null {
  const summary = textMember(data, "summary") ?? (collection === "skills" ? textMember(data, "description") : null);
  return summary === null ? null : { summary, text: allTexts(data).join("\n").slice(0, TEXT_MAX) };
}

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
