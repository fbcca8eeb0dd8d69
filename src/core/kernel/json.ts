import { byteLength, preview } from "./text.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value is a JSON object rather than a list, a scalar or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Top-level merge: keys of `patch` replace those of `base`, all others stay. Idempotent. */
export const mergeTop = (base: JsonObject | null, patch: JsonObject): JsonObject => ({ ...base, ...patch });

/** Deep merge: objects merge member by member, everything else of `patch` replaces what `base` has. Idempotent. */
export function mergeDeep(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeDeep(old, value) : value;
  }
  return merged;
}

/** Size of a value as JSON text in UTF-8. */
export const jsonBytes = (value: JsonValue): number => byteLength(JSON.stringify(value));

/** Objects, arrays and scalars of a value, itself included; the count ends one beyond `max`. */
export function countValues(value: JsonValue, max: number): number {
  let count = 1;
  if (typeof value !== "object" || value === null) return count;
  for (const member of Object.values(value)) {
    if (count > max) return count;
    count += countValues(member, max - count);
  }
  return count;
}

/** Names and their lengths that are told back to a caller who sent what nobody knows. */
const IGNORED_SHOWN = 50;
const IGNORED_NAME_MAX = 100;

/** Names of members that a schema does not know; of very many or very long ones the beginning. */
export function ignoredNames(sent: object, known: object): string[] {
  const names = Object.keys(sent).filter((name) => !Object.hasOwn(known, name));
  const shown = names.slice(0, IGNORED_SHOWN).map((name) => preview(name, IGNORED_NAME_MAX));
  return names.length > IGNORED_SHOWN ? [...shown, `and ${names.length - IGNORED_SHOWN} more`] : shown;
}

/** JSON text with the keys of every object sorted, so that equal values have equal text (the idea of RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

export type JsonFault = { readonly path: (string | number)[]; readonly message: string };

/**
 * The first thing in a parsed JSON value that could not be stored and read back unchanged, or null:
 * nesting beyond `maxDepth`, a NUL character, half of a surrogate pair, a number beyond the range of doubles, a `__proto__` key.
 */
export function findJsonFault(root: unknown, maxDepth: number): JsonFault | null {
  // One path for the whole walk, grown and shrunk: a body of a million numbers must not cost a million arrays.
  const path: (string | number)[] = [];
  const visit = (value: unknown): string | null => {
    if (typeof value !== "object" || value === null) return scalarFault(value);
    if (path.length >= maxDepth) return `JSON is nested deeper than ${maxDepth} levels`;
    return Array.isArray(value) ? visitItems(value) : visitMembers(value);
  };
  const visitItems = (items: readonly unknown[]): string | null => {
    for (const [index, item] of items.entries()) {
      path.push(index);
      const message = visit(item);
      if (message) return message;
      path.pop();
    }
    return null;
  };
  const visitMembers = (members: object): string | null => {
    for (const key of Object.keys(members)) {
      path.push(key);
      const message = keyFault(key) ?? visit(Reflect.get(members, key));
      if (message) return message;
      path.pop();
    }
    return null;
  };
  const message = visit(root);
  return message ? { path: path.slice(0, PATH_SHOWN), message } : null;
}

/** Steps of a path that an error names. */
const PATH_SHOWN = 8;

const keyFault = (key: string): string | null =>
  key === "__proto__" ? "The key __proto__ is reserved" : textFault(key);

function scalarFault(value: unknown): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : "Number is out of range";
  return typeof value === "string" ? textFault(value) : null;
}

/** Why a text cannot be stored and read back unchanged, or null. */
export function textFault(text: string): string | null {
  if (text.includes("\0")) return "Text must not contain NUL characters";
  return text.isWellFormed() ? null : "Text must not contain lone surrogates";
}
