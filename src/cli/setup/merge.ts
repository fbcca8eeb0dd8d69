import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { blockIn, removeBlock, setBlock } from "./block-text.ts";
import { appendTo, readJson, removeFrom, setIn } from "./json-text.ts";
import type { ConfigPart, Spot } from "./part.ts";
import { combined, isOurEntry, isOurHook, requireOurs } from "./part.ts";
import { readToml, removeTable, setTable, tableAt } from "./toml-text.ts";

/** The text with the parts, and without hooks of ours that are not among them. The same parts again change nothing. Throws Unreadable. */
export function merge(text: string, spot: Spot, parts: readonly ConfigPart[]): string {
  return keepingMark(text, (body) => {
    const stale = hooksIn(body, spot).filter(
      ({ path }) => !parts.some((part) => part.kind === "item" && isSame(part.path, path)),
    );
    const without = stale.reduceRight((rest, { path, at }) => removeFrom(rest, [...path, at]), body);
    const pruned = stale.reduce((rest, { path }) => pruneUp(rest, path, NOTHING), without);
    return parts.reduce((rest, part) => withPart(rest, spot, part), pruned);
  });
}

/** What of ours is in the text. Throws Unreadable. */
export function partsIn(text: string, spot: Spot): ConfigPart[] {
  const body = text.replace(MARK, "");
  if (spot.format === "markdown") {
    const block = blockIn(body);
    return block === null ? [] : [{ kind: "block", text: block }];
  }
  const entries = spot.entries.flatMap((path) => {
    const value = valueAt(body, spot, path);
    return isOurEntry(value) ? [{ kind: "entry", path, value } as const] : [];
  });
  const items = hooksIn(body, spot).map(({ path, value }) => ({ kind: "item", path, value }) as const);
  const ours: ConfigPart[] = [...entries, ...items];
  const base = ours.length === 0 ? [] : (spot.base ?? []).filter(({ path }) => valueAt(body, spot, path) !== undefined);
  return [...base, ...ours];
}

/** Whatever hooks are in the text, ours or not. Throws Unreadable. */
export const hooksHeld = (text: string, spot: Spot): unknown =>
  spot.format === "markdown" ? undefined : rootOf(text.replace(MARK, ""), spot).hooks;

/** The text without our parts, and without what they alone were in, but for the containers that `like` has. Throws Unreadable. */
export function strip(text: string, spot: Spot, like: string): string {
  return keepingMark(text, (body) => {
    if (spot.format === "markdown") return removeBlock(body);
    const isKept = (path: readonly string[]) => valueAt(like.replace(MARK, ""), spot, path) !== undefined;
    const ours = partsIn(body, spot);
    const hooks = hooksIn(body, spot).reduceRight((rest, { path, at }) => removeFrom(rest, [...path, at]), body);
    const pruned = ours.reduce((rest, part) => (part.kind === "item" ? pruneUp(rest, part.path, isKept) : rest), hooks);
    const bare = ours.reduce(
      (rest, part) => (part.kind === "entry" ? withoutEntry(rest, spot, part.path, isKept) : rest),
      pruned,
    );
    const left = ours.filter((part) => part.kind === "base" && !isKept(part.path));
    const isOnlyBase = left.length > 0 && Object.keys(rootOf(bare, spot)).length === left.length;
    return isOnlyBase
      ? left.reduce((rest, part) => (part.kind === "base" ? removeFrom(rest, part.path) : rest), bare)
      : bare;
  });
}

/** Whether a text says nothing, so that its file may go when we made it. */
export const saysNothing = (text: string): boolean => /^\s*(?:\{\s*\}\s*)?$/.test(text.replace(MARK, ""));

/** The mark that some editors begin a file with. */
const MARK = /^\uFEFF/;
const NOTHING = () => false;

function keepingMark(text: string, change: (body: string) => string): string {
  const [mark = ""] = MARK.exec(text) ?? [];
  return mark + change(text.slice(mark.length));
}

function withPart(text: string, spot: Spot, part: ConfigPart): string {
  switch (part.kind) {
    case "block":
      return blockIn(text) === part.text ? text : setBlock(text, part.text);
    case "base":
      return valueAt(text, spot, part.path) === undefined ? setIn(text, part.path, part.value) : text;
    case "entry": {
      const present = valueAt(text, spot, part.path);
      requireOurs(present, part.path);
      const value = isJsonObject(present) && !spot.is_shared ? combined(present, part.value) : part.value;
      if (Bun.deepEquals(present, value)) return text;
      return spot.format === "toml" ? setTable(text, part.path, value) : setIn(text, part.path, value);
    }
    case "item":
      return withItem(text, spot, part);
    default:
      return part satisfies never;
  }
}

/** One element of ours in a list: the first there is takes the value, others go. */
function withItem(text: string, spot: Spot, { path, value }: Extract<ConfigPart, { kind: "item" }>): string {
  const [first, ...more] = hooksIn(text, spot).filter((hook) => isSame(hook.path, path));
  if (!first) return appendTo(text, path, value);
  const single = more.reduceRight((rest, { at }) => removeFrom(rest, [...path, at]), text);
  return Bun.deepEquals(first.value, value) ? single : setIn(single, [...path, first.at], value);
}

interface HookAt {
  readonly path: readonly string[];
  readonly at: number;
  readonly value: JsonObject;
}

function hooksIn(text: string, spot: Spot): HookAt[] {
  const { hooks } = spot;
  const lists = hooks === undefined ? undefined : rootOf(text, spot)[hooks];
  if (hooks === undefined || !isJsonObject(lists)) return [];
  return Object.entries(lists).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((value, at) =>
      isJsonObject(value) && isOurHook(value) ? [{ path: [hooks, event], at, value }] : [],
    ),
  );
}

function withoutEntry(
  text: string,
  spot: Spot,
  path: readonly string[],
  isKept: (path: readonly string[]) => boolean,
): string {
  if (spot.format === "toml") return removeTable(text, path);
  return pruneUp(removeFrom(text, path), path.slice(0, -1), isKept);
}

/** Without the container at the path when nothing is in it, and so on outwards. */
function pruneUp(text: string, path: readonly string[], isKept: (path: readonly string[]) => boolean): string {
  const value = path.reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), readJson(text));
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  if (path.length === 0 || !isEmpty || isKept(path) || hasComment(text, path)) return text;
  return pruneUp(removeFrom(text, path), path.slice(0, -1), isKept);
}

/** A container with a comment in it is somebody's, though nothing else is in it. */
const hasComment = (text: string, path: readonly string[]): boolean => {
  const without = removeFrom(text, path);
  const count = (one: string) => one.match(/\/\/|\/\*/g)?.length ?? 0;
  return count(without) !== count(text);
};

const rootOf = (text: string, { format }: Spot): Record<string, unknown> =>
  format === "toml" ? readToml(text) : readJson(text);

const valueAt = (text: string, spot: Spot, path: readonly string[]): unknown => tableAt(rootOf(text, spot), path);

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join("\n") === other.join("\n");
