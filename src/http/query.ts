import { z } from "zod";
import { textFault } from "../core/kernel/json.ts";
import { singleIssue } from "./problem.ts";

/** The query string as the values its schema expects: numbers, booleans and lists instead of texts. What does not fit stays text, for the schema to refuse. */
export function readQuery(schema: z.ZodType, search: string): Record<string, unknown> {
  const sent = new URLSearchParams(checked(search));
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  const isStrict = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const texts = sent.getAll(name);
    const last = texts.at(-1);
    if (last === undefined) continue;
    values[name] = coerce(baseOf(field), texts, last);
  }
  for (const [name, text] of sent) {
    const fault = textFault(text);
    if (fault) throw singleIssue("query", [name], "value_error", fault);
    if (isStrict && !(name in fields)) values[name] = text;
  }
  return values;
}

/** Refuses percent-encoding that is no UTF-8: URLSearchParams would silently replace it. */
function checked(search: string): string {
  if (isDecodable(search)) return search;
  throw singleIssue("query", [], "value_error", "The query string is not valid percent-encoded UTF-8");
}

/** Whether the percent-encoding of a part of an address stands for text. */
export function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** The schema under optional, nullable and default wrappers, and behind what reads it first. */
function baseOf(field: unknown): unknown {
  let inner = field;
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable)
      inner = inner.unwrap();
    else if (inner instanceof z.ZodPipe && inner.in instanceof z.ZodTransform) inner = inner.out;
    else return inner;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function coerce(base: unknown, texts: readonly string[], last: string): unknown {
  if (base instanceof z.ZodArray) return texts;
  if (base instanceof z.ZodBoolean) return BOOLEANS.get(last.toLowerCase()) ?? last;
  if (base instanceof z.ZodNumber && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(last)) return Number(last);
  return last;
}
