import { z } from "zod";
import { ignoredNames, isJsonObject, textFault } from "../core/kernel/json.ts";
import { readBody } from "./body.ts";
import type { Operation, OperationInput } from "./operation.ts";
import { withOwnTenant } from "./own-tenant.ts";
import type { Source } from "./problem.ts";
import { InvalidRequest, singleIssue, toIssues } from "./problem.ts";
import { isDecodable, readQuery } from "./query.ts";

/** The listening socket, as far as anybody looks at it. */
export interface Socket {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
  readonly hostname?: string | undefined;
  readonly port?: number | undefined;
}
/** A request as the router has it, before it is known what answers it. */
export interface Call {
  readonly request: Request;
  readonly server: Socket | null;
}

/** The parts of a request, each as its schema read it. */
export type ReadRequest = Omit<OperationInput<unknown, unknown, unknown, unknown>, "attempt">;

/** A request as the router hands it over, and the tenant of who sent it. */
export interface RawRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly tenant_id: string | null;
  /** JSON values that its body may hold. */
  readonly values_max: number;
}

/** Reads and checks every part of a request that the operation declares. Throws InvalidRequest or PAYLOAD_TOO_LARGE. */
export async function readRequest(
  operation: Operation,
  { request, params: pathParams, tenant_id, values_max }: RawRequest,
): Promise<ReadRequest> {
  const { pathname, search } = targetOf(request);
  const params = check("path", operation.params, checkedPath(pathname, pathParams));
  const asked = operation.query && withOwnTenant(operation.query, readQuery(operation.query, search), tenant_id);
  const query = check("query", operation.query, asked);
  const headers = check("header", operation.headers, headerFields(request.headers));
  if (!operation.body) return { params, query, headers, body: undefined, ignored: [], refused: new Map() };
  const rules = { schema: operation.body, values_max, itemsApart: operation.itemsApart };
  const { value, refused } = await readBody(request, rules);
  const body = check("body", operation.body, withOwnTenant(operation.body, value, tenant_id));
  return { params, query, headers, body, ignored: unknownFields(operation.body, value), refused };
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
  return ignoredNames(raw, schema.shape);
}
