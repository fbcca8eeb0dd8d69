import type { z } from "zod";
import { JSON_MAX_DEPTH, measureJson } from "../core/kernel/json-measure.ts";
import type { Tool } from "./tool.ts";

/** How many rows are wanted goes by either name. */
const SAME_AS: Readonly<Record<string, string>> = { limit: "top_k", top_k: "limit" };

/** Whether a value is of the kind that a schema expects. */
const IS_A: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: (value) => typeof value === "number",
  int: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  record: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/**
 * Arguments as models mean them: null is left out, JSON in a text is the value where no text is expected, and what a tool
 * calls `limit` may be called `top_k`. Everything else stays as it is, for the schema to refuse.
 */
export function meantBy(
  { input }: Pick<Tool, "input">,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const meant: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[ownName(input, given, name), value]])),
  );
  for (const issue of input.safeParse(meant).error?.issues ?? []) {
    const [name, ...within] = issue.path;
    if (issue.code !== "invalid_type" || typeof name !== "string" || within.length > 0) continue;
    const value = valueIn(meant[name]);
    if (IS_A[issue.expected]?.(value)) meant[name] = value;
  }
  return meant;
}

function ownName({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>, name: string): string {
  const other = SAME_AS[name];
  if (other === undefined || Object.hasOwn(shape, name) || !Object.hasOwn(shape, other)) return name;
  return (given[other] ?? null) === null ? other : name;
}

/** Values that JSON in a text may hold. */
const VALUES_MAX = 100_000;

/** What a text says in JSON, or in Python's words for true and false; undefined for any other. */
function valueIn(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  const { depth, values } = measureJson(text);
  if (depth > JSON_MAX_DEPTH || values > VALUES_MAX) return undefined;
  try {
    return JSON.parse(/^\s*(?:true|false)\s*$/i.test(text) ? text.toLowerCase() : text);
  } catch {
    return undefined;
  }
}
