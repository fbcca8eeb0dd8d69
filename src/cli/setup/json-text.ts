import type { Edit, Node, ParseError } from "jsonc-parser";
import { applyEdits, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { Unreadable } from "./error.ts";
import { tokensBetween } from "./json-tokens.ts";

/** Names of members, and places in lists. */
export type JsonPath = readonly (string | number)[];

const USUAL_INDENT = "  ";

/** What a JSON text with comments says; an empty text says `{}`. Throws Unreadable with the place of the first fault. */
export function readJson(text: string): JsonObject {
  const root = rootOf(text);
  const value = root === null ? {} : meaningOf(root);
  if (!isJsonObject(value)) throw new Unreadable("the whole is no object", 1, 1);
  return value;
}

/** The text with the value at the path, in place of what is there, or after the last of its siblings. Throws Unreadable. */
export function setIn(text: string, path: JsonPath, value: unknown): string {
  const root = rootOf(text);
  if (root === null) return `${text}${pretty(nested(path, value), "", layoutOf(text, null))}${eolOf(text)}`;
  const found = nodeAt(root, path);
  if (found) return replaceNode(text, root, found, value);
  const { node, rest } = deepest(root, path);
  const [name, ...inner] = rest;
  if (node.type === "array" && inner.length === 0) return insertChild(text, root, { into: node, value });
  if (node.type !== "object")
    throw new Unreadable(`${path.join(".")} has no place: something else is there`, ...placeAt(text, node.offset));
  return insertChild(text, root, { into: node, name: String(name), value: nested(inner, value) });
}

/** The text with one more element at the end of the list at the path, which is made if need be. Throws Unreadable. */
export function appendTo(text: string, path: JsonPath, value: unknown): string {
  const root = rootOf(text);
  const list = root && nodeAt(root, path);
  if (!list) return setIn(text, path, [value]);
  if (list.type !== "array") throw new Unreadable(`${path.join(".")} is no list`, ...placeAt(text, list.offset));
  return setIn(text, [...path, list.children?.length ?? 0], value);
}

/** The text without what is at the path; comments stay. Nothing there: the text as it is. Throws Unreadable. */
export function removeFrom(text: string, path: JsonPath): string {
  const root = rootOf(text);
  const value = root && nodeAt(root, path);
  if (!root || !value?.parent) return text;
  const child = value.parent.type === "property" ? value.parent : value;
  const container = child.parent;
  if (!container) return text;
  const siblings = container.children ?? [];
  const previous = siblings[siblings.indexOf(child) - 1];
  const start = child.offset;
  const end = child.offset + child.length;
  const ahead = tokensBetween(text, previous ? endOf(previous) : container.offset + 1, start);
  const behind = tokensBetween(text, end, endOf(container) - 1);
  const from = ahead.end ?? (previous ? endOf(previous) : container.offset + 1);
  // The comma after goes, or, where there is none, the one before: one fewer than elements.
  const comma = siblings.at(-1) === child && behind.comma === null ? ahead.comma : behind.comma;
  const edits: Edit[] = [{ offset: from, length: end - from, content: "" }];
  if (comma !== null) edits.push({ offset: comma, length: 1, content: "" });
  const after = applyEdits(text, edits);
  return siblings.length > 1 ? after : collapsed(after, container.offset);
}

/** Braces with nothing but space between them are written without it. */
function collapsed(text: string, open: number): string {
  const rest = text.slice(open + 1);
  const close = rest.search(/\S/);
  return /^[}\]]/.test(rest.slice(close)) ? text.slice(0, open + 1) + rest.slice(close) : text;
}

/** Null for a text without a value, be it empty or all comments. */
function rootOf(text: string): Node | null {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first) throw new Unreadable(wordsOf(printParseErrorCode(first.error)), ...placeAt(text, first.offset));
  return root ?? null;
}

/** "CloseBraceExpected" as a person says it. */
const wordsOf = (code: string): string =>
  code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

function placeAt(text: string, offset: number): [line: number, column: number] {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return [before.length, (before.at(-1) ?? "").length + 1];
}

/** Of members of one name the last one counts, as for every reader. */
function childOf(node: Node, name: string | number): Node | undefined {
  if (node.type === "array" && typeof name === "number") return node.children?.[name];
  if (node.type !== "object") return undefined;
  return node.children?.findLast((member) => member.children?.[0]?.value === name)?.children?.[1];
}

const nodeAt = (root: Node, path: JsonPath): Node | undefined =>
  path.reduce<Node | undefined>((node, name) => node && childOf(node, name), root);

function deepest(root: Node, path: JsonPath): { node: Node; rest: JsonPath } {
  const [name, ...rest] = path;
  const child = name === undefined ? undefined : childOf(root, name);
  return child ? deepest(child, rest) : { node: root, rest: path };
}

function meaningOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(meaningOf);
  if (node.type !== "object") return node.value;
  const members = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [[key.value, meaningOf(value)]] : [],
  );
  return Object.fromEntries(members);
}

const nested = (path: JsonPath, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

const endOf = (node: Node): number => node.offset + node.length;
const eolOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");

/** How a text is laid out, so that what is added looks like the rest. */
interface Layout {
  readonly eol: string;
  readonly indent: string;
  /** Everything in one line. */
  readonly compact: boolean;
}

function layoutOf(text: string, root: Node | null): Layout {
  const first = root?.children?.[0];
  const lead = root && first ? text.slice(root.offset + 1, first.offset) : "\n";
  const indent =
    first && /\n/.test(lead) ? leadOf(text, first.offset).slice(leadOf(text, root?.offset ?? 0).length) : "";
  return { eol: eolOf(text), indent: indent || USUAL_INDENT, compact: !/\n/.test(lead) };
}

/** The space at the beginning of the line that holds the offset. */
function leadOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}

const pretty = (value: unknown, lead: string, { eol, indent, compact }: Layout): string =>
  compact ? JSON.stringify(value) : JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${lead}`);

function replaceNode(text: string, root: Node, node: Node, value: unknown): string {
  const layout = layoutOf(text, root);
  const content = pretty(value, leadOf(text, node.offset), layout);
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

interface Insertion {
  readonly into: Node;
  readonly name?: string;
  readonly value: unknown;
}

function insertChild(text: string, root: Node, { into, name, value }: Insertion): string {
  const children = into.children ?? [];
  const whole = layoutOf(text, root);
  const compact = children.length > 0 ? layoutOf(text, into).compact : whole.compact && into !== root;
  const layout = { ...whole, compact };
  const [first] = children;
  const lead = first && !compact ? leadOf(text, first.offset) : `${leadOf(text, into.offset)}${whole.indent}`;
  const key = name === undefined ? "" : `${JSON.stringify(name)}:${compact ? "" : " "}`;
  const piece = `${key}${pretty(value, lead, layout)}`;
  const last = children.at(-1);
  if (!last) return fillEmpty(text, into, { piece, lead, layout });
  const { comma, end } = tokensBetween(text, endOf(last), endOf(into) - 1, { sameLine: true });
  const gap = compact ? spaceAfter(text, into.offset) : `${layout.eol}${lead}`;
  const index = Math.max(end ?? 0, endOf(last));
  if (comma !== null) return applyEdits(text, [{ offset: index, length: 0, content: `${gap}${piece},` }]);
  if (index === endOf(last)) return applyEdits(text, [{ offset: index, length: 0, content: `,${gap}${piece}` }]);
  return applyEdits(text, [
    { offset: endOf(last), length: 0, content: "," },
    { offset: index, length: 0, content: `${gap}${piece}` },
  ]);
}

/** `{ "a": 1 }` has spaces after commas, `{"a":1}` has none. */
const spaceAfter = (text: string, offset: number): string => (text[offset + 1] === " " ? " " : "");

function fillEmpty(
  text: string,
  into: Node,
  { piece, lead, layout }: { piece: string; lead: string; layout: Layout },
): string {
  const inner = text.slice(into.offset + 1, endOf(into) - 1);
  const kept = inner.trimEnd();
  const offset = into.offset + 1 + kept.length;
  if (layout.compact && kept === "") return applyEdits(text, [{ offset, length: inner.length, content: piece }]);
  const close = `${layout.eol}${leadOf(text, into.offset)}`;
  const content = `${layout.eol}${lead}${piece}${close}`;
  return applyEdits(text, [{ offset, length: inner.length - kept.length, content }]);
}
