import { isJsonObject } from "../json.ts";
import { preview } from "../text.ts";
import { defused, withoutTurns } from "./marks.ts";
import { shown, shownOnOneLine } from "./unseen.ts";

/**
 * A stored text as one line of at most `limit` characters (with an ellipsis where cut), that neither ends the frame it is
 * shown in nor begins another.
 */
export function quoted(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = defused(shownOnOneLine(text), { isLine: true });
  return preview(line, limit).length < line.length ? `${preview(line, limit - 1).trimEnd()}…` : line;
}

/** The same inside double quotes. */
export const quotedName = (text: string, limit?: number): string => quoted(text, limit).replaceAll('"', "'");

/** Names that nobody takes for more than a name. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/@+:-]*$/u;

/** A name among what stands in square brackets: as it is where it is plain, else in double quotes. */
export function nameOf(text: string): string {
  const name = quotedName(text);
  return PLAIN_NAME.test(name) ? name : `"${name.replace(/[[\]]/g, (bracket) => (bracket === "[" ? "(" : ")"))}"`;
}

/** A stored text whole, with its lines: for a frame that it cannot know, or inside JSON. Honest text is unchanged. */
export const quotedText = (text: string): string => withoutTurns(defused(shown(text), { isLine: false }));

/** JSON whose texts, names of members among them, are quoted. */
export function quotedJson(value: unknown): unknown {
  if (typeof value === "string") return quotedText(value);
  if (Array.isArray(value)) return value.map(quotedJson);
  return isJsonObject(value) ? quotedMembers(value) : value;
}

/** The same for an object. */
export function quotedMembers(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = new Map<string, unknown>();
  const repeated = new Map<string, number>();
  for (const [name, one] of Object.entries(value))
    members.set(newName(quoted(name), members, repeated), quotedJson(one));
  return Object.fromEntries(members);
}

/** Two names that differ in what nobody sees are two. */
function newName(name: string, taken: ReadonlyMap<string, unknown>, repeated: Map<string, number>): string {
  let free = name;
  for (let count = repeated.get(name) ?? 1; taken.has(free); repeated.set(name, count)) free = `${name} (${++count})`;
  return free;
}
