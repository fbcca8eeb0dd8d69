import type { z } from "zod";
import { AppError } from "../core/kernel/errors.ts";
import type { JsonFault } from "../core/kernel/json.ts";
import { findJsonFault, isJsonObject } from "../core/kernel/json.ts";
import type { JsonMeasure } from "../core/kernel/json-measure.ts";
import { JSON_MAX_DEPTH, measureJson } from "../core/kernel/json-measure.ts";
import { inexactNumbers } from "../core/kernel/json-numbers.ts";
import { withinTime } from "./deadline.ts";
import { singleIssue } from "./problem.ts";
import { truncateText } from "./truncate-issues.ts";

/** Largest body accepted, in bytes. */
export const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** A body comes at this rate at least, in bytes a second, once it has had so many milliseconds. */
const PACE = { grace_ms: 10_000, bytes_a_second: 1_024 } as const;

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
  const { hasLongNumber } = measuredBody(text, rules.values_max);
  const value = parseJson(text);
  const numbers = hasLongNumber ? inexactNumbers(text, rules.itemsApart) : [];
  const refused = rules.itemsApart === undefined ? NONE : setApart(value, rules.itemsApart, numbers);
  const fault =
    numbers.find(({ path }) => path[0] !== rules.itemsApart || !refused.has(Number(path[1]))) ??
    findJsonFault(besides(value, rules.itemsApart), JSON_MAX_DEPTH);
  if (fault) throw asIssue(fault);
  return { value, refused };
}

/** What the JSON text of a body holds, before it is parsed. Throws InvalidRequest for one that is too deep or holds too much. */
export function measuredBody(text: string, values_max: number): JsonMeasure {
  const measure = measureJson(text);
  if (measure.depth > JSON_MAX_DEPTH) throw whole(`JSON is nested deeper than ${JSON_MAX_DEPTH} levels`);
  if (measure.values > values_max) throw whole(tooMany(measure.values, values_max));
  return measure;
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

/**
 * Collects the body, but never more than the limit, whatever its declared length, nor for longer than its pace allows: what
 * drips in holds a place that others need. Throws PAYLOAD_TOO_LARGE and REQUEST_TIMEOUT.
 */
export async function readBytes(request: Request, pace: Pace = PACE): Promise<Uint8Array> {
  const tooLarge = new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_MAX_BYTES} bytes.`, {
    limit_bytes: BODY_MAX_BYTES,
  });
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of arriving(request, pace)) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface Pace {
  readonly grace_ms: number;
  readonly bytes_a_second: number;
}

/** The refusal of a body that takes too long. */
export const lateBody = (): AppError =>
  new AppError("REQUEST_TIMEOUT", "The body did not arrive in time, so nothing was done.");

/** The body piece by piece. A caller who hangs up meanwhile has made a fault of his own, not met one of ours. */
async function* arriving({ body }: Request, { grace_ms, bytes_a_second }: Pace): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let deadline = performance.now() + grace_ms;
  try {
    for (;;) {
      const { value } = await withinTime(reader.read(), deadline, lateBody);
      if (value === undefined) return;
      deadline += (value.byteLength / bytes_a_second) * 1_000;
      yield value;
    }
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "AbortError") throw cause;
    throw new AppError("BAD_REQUEST", "The connection was closed before the body had arrived.", undefined, { cause });
  } finally {
    // What is still to come is not waited for; a body that has failed cannot be given up.
    reader.cancel().catch(() => {});
  }
}
