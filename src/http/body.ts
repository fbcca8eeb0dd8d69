import type { z } from "zod";
import { AppError } from "../core/kernel/errors.ts";
import type { JsonFault } from "../core/kernel/json.ts";
import { findJsonFault, isJsonObject } from "../core/kernel/json.ts";
import { measureJson } from "../core/kernel/json-measure.ts";
import { inexactNumbers } from "../core/kernel/json-numbers.ts";
import { singleIssue } from "./problem.ts";
import { truncateText } from "./truncate-issues.ts";

/** Largest body accepted, in bytes. */
export const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Deepest nesting of a JSON body. */
export const JSON_MAX_DEPTH = 64;

/** What was sent, and which items of a list whose items fail alone could not be taken as they are: why, by position. */
export interface ReadBody {
  readonly value: unknown;
  readonly refused: ReadonlyMap<number, string>;
}

interface BodyRules {
  readonly schema: z.ZodType;
  readonly values_max: number;
  /** Member of the body whose items fail alone. */
  readonly itemsApart: string | undefined;
}

/** Reads a JSON body. Throws InvalidRequest, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE. */
export async function readBody(request: Request, rules: BodyRules): Promise<ReadBody> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "The body has a Content-Encoding. Send it as plain JSON.");
  }
  const text = decodeUtf8(await readBytes(request));
  if (text.trim() === "") {
    if (rules.schema.safeParse(undefined).success) return { value: undefined, refused: NONE };
    throw singleIssue("body", [], "missing", "Field required: the request has no body");
  }
  const { values, depth, hasLongNumber } = measureJson(text);
  if (depth > JSON_MAX_DEPTH) throw whole(`JSON is nested deeper than ${JSON_MAX_DEPTH} levels`);
  if (values > rules.values_max) throw whole(tooMany(values, rules.values_max));
  const value = parseJson(text);
  const numbers = hasLongNumber ? inexactNumbers(text, rules.itemsApart) : [];
  const refused = rules.itemsApart === undefined ? NONE : setApart(value, rules.itemsApart, numbers);
  const fault =
    numbers.find(({ path }) => path[0] !== rules.itemsApart || !refused.has(Number(path[1]))) ??
    findJsonFault(besides(value, rules.itemsApart), JSON_MAX_DEPTH);
  if (fault) throw asIssue(fault);
  return { value, refused };
}

const NONE: ReadonlyMap<number, string> = new Map();
const whole = (message: string) => asIssue({ path: [], message });
const tooMany = (values: number, max: number): string =>
  `The body holds ${values} JSON values; at most ${max} are allowed`;
const asIssue = ({ path, message }: JsonFault) => singleIssue("body", path, "value_error", message);

/** Empties the items that could not be given back as they are, so that the others may go on. */
function setApart(body: unknown, name: string, numbers: readonly JsonFault[]): ReadonlyMap<number, string> {
  const items = isJsonObject(body) ? body[name] : undefined;
  if (!Array.isArray(items)) return NONE;
  const ofNumber = new Map(numbers.filter(({ path }) => path[0] === name).map((fault) => [fault.path[1], fault]));
  const refused = new Map<number, string>();
  items.forEach((item, index) => {
    const inNumber = ofNumber.get(index);
    const fault = inNumber ? { ...inNumber, path: inNumber.path.slice(2) } : findJsonFault(item, JSON_MAX_DEPTH);
    if (fault === null) return;
    refused.set(index, [fault.path.join("."), fault.message].filter((part) => part !== "").join(": "));
    items[index] = {};
  });
  return refused;
}

/** What fails as a whole: items that fail alone have been looked at. */
const besides = (body: unknown, name: string | undefined): unknown =>
  name !== undefined && isJsonObject(body) && Array.isArray(body[name]) ? { ...body, [name]: [] } : body;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw singleIssue("body", [], "json_invalid", `The body is not valid JSON: ${truncateText(reason)}`);
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw singleIssue("body", [], "json_invalid", "The body is not valid UTF-8");
  }
}

/** Collects the body, but never more than the limit, whatever its declared length. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_MAX_BYTES} bytes.`, {
    limit_bytes: BODY_MAX_BYTES,
  });
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of arriving(request)) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body piece by piece. A caller who hangs up meanwhile has made a fault of his own, not met one of ours. */
async function* arriving({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "AbortError") throw cause;
    throw new AppError("BAD_REQUEST", "The connection was closed before the body had arrived.", undefined, { cause });
  }
}
