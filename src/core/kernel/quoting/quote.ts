import { isJsonObject } from "../json.ts";
import { preview } from "../text.ts";
import { defused, withoutTurns } from "./marks.ts";
import { shown, shownOnOneLine } from "./unseen.ts";

/** Of a text that is cut, as many times the characters that are shown are read at first, and some more. */
const READ_TIMES = 4;
const READ_MORE = 400;

/**
 * A stored text as one line of at most `limit` characters (with an ellipsis where cut), that neither ends the frame it is
 * shown in nor begins another. It takes as long as what is shown, not as long as the text.
 */
export function quoted(text: string, limit = Number.POSITIVE_INFINITY): string {
  // What is read may be left out as unseen; whether a mark begins is told by what stands behind it.
  for (let read = READ_TIMES * limit + READ_MORE; read < text.length; read *= READ_TIMES) {
    const line = asLine(text.slice(0, read));
    if (line.length > 2 * limit + READ_MORE / 2) return cut(line, limit);
  }
  const line = asLine(text);
  return preview(line, limit).length < line.length ? cut(line, limit) : line;
}

const asLine = (text: string): string => defused(shownOnOneLine(text), { isLine: true });
const cut = (line: string, limit: number): string => `${preview(line, limit - 1).trimEnd()}…`;

/** The same inside double quotes. */
export const quotedName = (text: string, limit?: number): string => quoted(text, limit).replaceAll('"', "'");

/** Names that nobody takes for more than a name. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/@+:-]*$/u;

/** A name among what stands in square brackets: as it is where it is plain, else in double quotes. */
export function nameOf(text: string): string {
  const name = quotedName(text);
  return PLAIN_NAME.test(name) ? name : `"${name.replace(/[[\]]/g, (bracket) => (bracket === "[" ? "(" : ")"))}"`;
}

/** A stored text whole, with its lines: for a frame that it cannot know. Honest text is unchanged. */
export const quotedText = (text: string): string => withoutTurns(defused(shown(text), { isLine: false }));

/** Values of JSON whose texts, names of members among them, are quoted: for who makes JSON of them, or shows them otherwise. */
export function quotedJson(value: unknown): unknown {
  if (typeof value === "string") return quotedText(value);
  if (Array.isArray(value)) return value.map(quotedJson);
  return isJsonObject(value) ? quotedMembers(value) : value;
}

/** The same for an object. */
export function quotedMembers(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = shownNames(Object.keys(value));
  return Object.fromEntries([...names].map(([shown, own]) => [shown, quotedJson(value[own])]));
}

/** Names of members by how they are shown: two that differ in what nobody sees are two. */
function shownNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  const repeated = new Map<string, number>();
  for (const own of names) {
    const name = quoted(own);
    let free = name;
    for (let count = repeated.get(name) ?? 1; taken.has(free); repeated.set(name, count)) free = `${name} (${++count})`;
    taken.set(free, own);
  }
  return taken;
}

/** What somebody gives back who was shown `stored` quoted: what is as it was shown is as it was stored. */
export function asStored(given: unknown, stored: unknown): unknown {
  if (typeof given === "string") return typeof stored === "string" && quotedText(stored) === given ? stored : given;
  if (Array.isArray(given)) return Array.isArray(stored) ? listAsStored(given, stored) : given;
  if (!isJsonObject(given) || !isJsonObject(stored)) return given;
  const names = shownNames(Object.keys(stored));
  const members = Object.entries(given).map(([name, one]) => {
    const own = Object.hasOwn(stored, name) ? name : (names.get(name) ?? name);
    return [own, Object.hasOwn(stored, own) ? asStored(one, stored[own]) : one];
  });
  return Object.fromEntries(members);
}

/** Elements may have moved. */
function listAsStored(given: readonly unknown[], stored: readonly unknown[]): unknown[] {
  const asShown = new Map(stored.map((one) => [JSON.stringify(quotedJson(one)), one]));
  return given.map((one, i) => {
    const shownAs = JSON.stringify(one);
    return asShown.has(shownAs) ? asShown.get(shownAs) : asStored(one, stored[i]);
  });
}
