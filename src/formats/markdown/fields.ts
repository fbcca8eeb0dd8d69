import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { parseInstant } from "../../core/schema/common.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import { MemoryType as AnyType, RESERVED_TYPES } from "../../core/schema/memory.ts";

const NAMES = {
  title: ["title", "name"],
  created: [
    "date",
    "created",
    "created_at",
    "createdat",
    "date created",
    "creation_date",
    "published",
    "updated",
    "modified",
    "updated_at",
    "updatedat",
    "lastmod",
    "last_modified",
    "date modified",
  ],
  tags: ["tags", "tag", "keywords", "categories", "category"],
  author: ["author", "authors", "agent_id", "agent", "creator", "created_by"],
  type: ["type", "memory_type"],
  address: ["source_uri", "url", "source_url", "source", "link"],
} as const;

/** What the front matter of another tool says of a note. */
export interface NoteFields {
  readonly title: string | null;
  /** A timestamp. */
  readonly created_at: string | null;
  /** What stands where a date is expected, and is none, by its key. */
  readonly unread_dates: readonly (readonly [key: string, written: string])[];
  readonly tags: readonly string[];
  readonly author: string | null;
  readonly type: MemoryType | null;
  readonly address: string | null;
  /** Everything else, and what could not be read as the above. */
  readonly others: JsonObject;
}

/** Reads front matter by the keys that Obsidian, Basic Memory, Jekyll, Hugo and their like use. */
export function readNoteFields(fields: JsonObject): NoteFields {
  const others = { ...fields };
  const keys = new Map(Object.keys(fields).map((key) => [key.toLowerCase(), key]));
  /** The first of these keys whose value can be read; it is then no other field. */
  const take = <T>(names: readonly string[], read: (value: JsonValue, key: string) => T | null): T | null => {
    for (const name of names) {
      const key = keys.get(name);
      const value = key === undefined ? undefined : fields[key];
      if (key === undefined || value === undefined) continue;
      const found = read(value, key);
      if (found === null) continue;
      delete others[key];
      return found;
    }
    return null;
  };
  const unread: [string, string][] = [];
  const dateOf = (value: JsonValue, key: string): string | null => {
    const [date, line] = [instantOf(value), lineOf(value)];
    if (date === null && line !== null) unread.push([key, line]);
    return date;
  };
  return {
    title: take(NAMES.title, (value) => within(lineOf(value), TITLE_MAX)),
    created_at: take(NAMES.created, dateOf),
    unread_dates: unread,
    tags: [...new Set(NAMES.tags.flatMap((name) => take([name], tagsOf) ?? []))].slice(0, TAGS_MAX),
    author: take(NAMES.author, (value) => within(authorOf(value), AUTHOR_MAX)),
    type: take(NAMES.type, typeOf),
    address: take(NAMES.address, (value) => within(addressOf(value), ADDRESS_MAX)),
    others,
  };
}

const TITLE_MAX = 500;
const TAGS_MAX = 100;
const AUTHOR_MAX = 200;
const ADDRESS_MAX = 2_000;

const within = (text: string | null, max: number): string | null => (text !== null && text.length <= max ? text : null);

/** A scalar as a line of text; null for what is none, or empty. */
export function lineOf(value: JsonValue): string | null {
  if (value === null || typeof value === "object") return null;
  const line = String(value).replace(/\s+/g, " ").trim();
  return line === "" ? null : line;
}

/** An instant in ISO 8601, or as Jekyll ("2026-03-04 10:00:00 +0100") writes it. */
export function instantOf(value: JsonValue): string | null {
  const line = lineOf(value);
  return line === null ? null : parseInstant(line.replace(/^\[\[(.*)\]\]$/, "$1").replace(/\//g, "-"));
}

const WIKI_LINK = /^\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]$/;

/** Of several authors the first. */
function authorOf(value: JsonValue): string | null {
  const [first = null] = Array.isArray(value) ? value : [value];
  const named = isJsonObject(first) ? (first.name ?? null) : first;
  return lineOf(named)?.replace(WIKI_LINK, "$1") || null;
}

function tagsOf(value: JsonValue): string[] | null {
  const line = lineOf(value) ?? "";
  const listed = Array.isArray(value) ? value.map(lineOf) : line.split(line.includes(",") ? "," : " ");
  const tags = listed.flatMap((tag) => tag?.trim().replace(/^#/, "") || []);
  return tags.length > 0 && tags.every((tag) => tag.length <= 100) ? tags : null;
}

function typeOf(value: JsonValue): MemoryType | null {
  const type = AnyType.safeParse(lineOf(value)?.toLowerCase());
  return type.success && !RESERVED_TYPES.includes(type.data) ? type.data : null;
}

const addressOf = (value: JsonValue): string | null => {
  const line = lineOf(value);
  return line !== null && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(line) ? line : null;
};
