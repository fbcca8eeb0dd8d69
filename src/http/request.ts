import { z } from "zod";
import { AppError } from "../kernel/errors.ts";
import { findJsonFault, isJsonObject, textFault } from "../kernel/json.ts";
import type { Operation, OperationInput } from "./operation.ts";
import { withOwnTenant } from "./own-tenant.ts";
import type { Source } from "./problem.ts";
import { InvalidRequest, singleIssue, toIssues } from "./problem.ts";
import { isDecodable, readQuery } from "./query.ts";

/** Largest body accepted, in bytes. */
export const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Deepest nesting of a JSON body. */
export const JSON_MAX_DEPTH = 64;

/** The parts of a request, each as its schema read it. */
export type ReadRequest = Omit<OperationInput<unknown, unknown, unknown, unknown>, "attempt">;

/** A request as the router hands it over, and the tenant of who sent it. */
export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly tenant_id: string | null;
}

/** Reads and checks every part of a request that the operation declares. Throws InvalidRequest or PAYLOAD_TOO_LARGE. */
export async function readRequest(
  operation: Operation,
  { request, params: pathParams, tenant_id }: RawRequest,
): Promise<ReadRequest> {
  const { pathname, search } = targetOf(request);
  const params = check("path", operation.params, checkedPath(pathname, pathParams));
  const asked = operation.query && withOwnTenant(operation.query, readQuery(operation.query, search), tenant_id);
  const query = check("query", operation.query, asked);
  const headers = check("header", operation.headers, headerFields(request.headers));
  const raw = operation.body ? await readJson(request, operation.body) : undefined;
  const body = check("body", operation.body, withOwnTenant(operation.body, raw, tenant_id));
  return { params, query, headers, body, ignored: unknownFields(operation.body, raw) };
}

function check(source: Source, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(toIssues(source, parsed.error));
}

/** Path and query string of a request. Its Host header may be anything, and then the whole address is no URL. */
export function targetOf({ url }: Request): { pathname: string; search: string } {
  const [, pathname = "", search = ""] = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  return { pathname, search };
}

/** Refuses what the router's decoding would silently replace or drop: percent-encoding that is no UTF-8. */
function checkedPath(pathname: string, params: Readonly<Record<string, string>>): Record<string, string> {
  if (!isDecodable(pathname))
    throw singleIssue("path", [], "value_error", "The path is not valid percent-encoded UTF-8");
  for (const [name, value] of Object.entries(params)) {
    const fault = textFault(value);
    if (fault) throw singleIssue("path", [name], "value_error", fault);
  }
  return { ...params };
}

const headerFields = (headers: Headers): Record<string, string> => Object.fromEntries(headers.entries());

function unknownFields(schema: z.ZodType | undefined, raw: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isJsonObject(raw)) return [];
  return Object.keys(raw).filter((key) => !(key in schema.shape));
}

async function readJson(request: Request, schema: z.ZodType): Promise<unknown> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "The body has a Content-Encoding. Send it as plain JSON.");
  }
  const text = decodeUtf8(await readBytes(request));
  if (text.trim() === "" && schema.safeParse(undefined).success) return undefined;
  const value = parseJson(text);
  const fault = findJsonFault(value, JSON_MAX_DEPTH);
  if (fault) throw singleIssue("body", fault.path, "value_error", fault.message);
  return value;
}

function parseJson(text: string): unknown {
  if (text.trim() === "") throw singleIssue("body", [], "missing", "Field required: the request has no body");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw singleIssue("body", [], "json_invalid", `The body is not valid JSON: ${reason}`);
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
async function readBytes(request: Request): Promise<Uint8Array> {
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
