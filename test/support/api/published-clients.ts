import { expect } from "bun:test";
import { z } from "zod";
import { Health } from "../../../src/core/schema/system.ts";
import { TENANT } from "../builders.ts";
import type { Client, Reply } from "./client.ts";

// Three clients that others publish, by what they send and by what they demand of the reply. Each throws where it would.

type Fields = Readonly<Record<string, unknown>>;

/** A reply that a client takes for a failure, as that client understands it. */
export class ClientFault extends Error {
  constructor(
    readonly kind: "auth" | "not found" | "rate limit" | "api" | "store",
    readonly status: number,
    message: string,
    readonly more: {
      readonly details?: unknown;
      readonly retryAfter?: number | null;
      readonly retryable?: boolean;
    } = {},
  ) {
    super(message);
  }
}

const Text = z.string().refine((text) => text.trim() !== "", "expected a nonempty string");
const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
const fieldOf = (value: unknown, name: string): unknown => Object(value)[name];

/** The Python client 1.1.1: JSON in every success, the message from `error.message`, else `detail`. */
export function pythonClient(transport: Client, options: { readonly key?: string; readonly session?: string } = {}) {
  const http = transport.as({
    "X-API-Key": options.key ?? "mc-standalone",
    // Of all requests, those without a body included.
    "Content-Type": "application/json",
    Accept: "*/*",
    "Accept-Encoding": "gzip, deflate",
    "User-Agent": "caura-client-python/1.1.1 (python/3.11)",
    ...(options.session ? { "X-Caura-Session-Id": options.session } : {}),
  });
  const ask = async (method: string, path: string, body?: Fields): Promise<unknown> => {
    const reply = await http.call(method, `/api/v1${path}`, body ? { body } : {});
    if (!isSuccess(reply)) throw pythonFault(reply);
    return z.looseObject({}).parse(reply.body);
  };
  const post = (path: string, body: Fields) => ask("POST", path, { tenant_id: TENANT, ...body });
  return {
    write: async (content: string, fields: Fields = {}) =>
      PythonMemory.parse(await post("/memories", { content, ...fields })),
    search: async (query: string, fields: Fields = {}) =>
      PythonSearch.parse(await post("/search", { query, top_k: 5, ...fields })),
    recall: async (query: string, fields: Fields = {}) =>
      PythonRecall.parse(await post("/recall", { query, top_k: 5, items_alias: false, ...fields })),
    health: async () => Health.parse(await ask("GET", "/health")),
    stats: async () => PythonStats.parse(await ask("GET", "/stats")),
    getDocument: (doc_id: string, collection: string) =>
      ask("GET", `/documents/${encodeURIComponent(doc_id)}?${new URLSearchParams({ tenant_id: TENANT, collection })}`),
  };
}

const PythonMemory = z.looseObject({
  id: Text,
  content: z.string(),
  title: z.string().nullable(),
  memory_type: z.string(),
  tenant_id: z.string(),
  agent_id: z.string(),
  weight: z.number(),
  similarity: z.number().nullable(),
  metadata: z.looseObject({}).nullable(),
});
const PythonSearch = z.looseObject({
  items: z.array(PythonMemory),
  recall_tracked: z.boolean(),
  diagnostic: z.looseObject({}).nullable(),
  warnings: z.array(z.looseObject({})).nullable(),
});
const PythonRecall = z.looseObject({ summary: z.string(), memories: z.array(PythonMemory) });
const PythonStats = z.looseObject({ tenant_count: z.int(), memory_count: z.int(), agent_count: z.int() });

function pythonFault({ status, body, headers }: Reply): ClientFault {
  const error = fieldOf(body, "error");
  const message = String(fieldOf(error, "message") || fieldOf(body, "detail"));
  const details = fieldOf(error, "details");
  if (status === 401 || status === 403) return new ClientFault("auth", status, message, { details });
  if (status === 404) return new ClientFault("not found", status, message, { details });
  if (status !== 429) return new ClientFault("api", status, message, { details });
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return new ClientFault("rate limit", status, message, { details, retryAfter: seconds >= 0 ? seconds : null });
}

/** caura-rail 1.0.2: asks who it is, names the tenant in a header from then on, and commits privately in strong mode. */
export function railStore(transport: Client, scope: { readonly agent_id: string; readonly fleet_id?: string }) {
  const http = transport.as({ "X-API-Key": "standalone", "User-Agent": "caura-rail-python/1.0.2 (python/3.11)" });
  const named = async () => {
    const tenant_id = Text.parse(fieldOf(railRead(await http.call("GET", "/api/v1/whoami")), "tenant_id"));
    return { tenant_id, http: http.as({ "X-Tenant-ID": tenant_id }) };
  };
  return {
    recall: async (query: string, top_k = 8) => {
      const { tenant_id, http } = await named();
      const fleets = scope.fleet_id ? { fleet_ids: [scope.fleet_id] } : {};
      const body = { tenant_id, query, caller_agent_id: scope.agent_id, top_k, ...fleets };
      return RailFacts.parse(railRead(await http.call("POST", "/api/v1/search", { body }))).items;
    },
    keystones: async () => {
      const { tenant_id, http } = await named();
      const rules = RailRules.parse(
        railRead(await http.call("GET", "/api/v1/keystones", { query: { tenant_id, ...scope } })),
      );
      return (Array.isArray(rules) ? rules : rules.items).toSorted((a, b) => b.data.weight - a.data.weight);
    },
    write: async (content: string, visibility = "scope_agent") => {
      const { tenant_id, http } = await named();
      const body = { tenant_id, ...scope, content, visibility, write_mode: "strong" };
      const reply = await http.call("POST", "/api/v1/memories", { body });
      const stored = railStored(reply);
      return stored ?? { status: "written" as const, id: Text.parse(fieldOf(railRead(reply), "id")) };
    },
  };
}

const RailFacts = z.looseObject({
  items: z.array(z.looseObject({ id: Text, content: Text, agent_id: Text.nullable() })),
});
const RailRule = z.looseObject({ doc_id: Text, data: z.looseObject({ title: Text, content: Text, weight: z.int() }) });
const RailRules = z.union([z.array(RailRule), z.looseObject({ items: z.array(RailRule) })]);

/** The only 409 that counts as already stored. */
function railStored({ status, body }: Reply): { status: "deduplicated"; id: string; reason: unknown } | null {
  const error = fieldOf(body, "error");
  if (status !== 409 || fieldOf(error, "code") !== "DUPLICATE_MEMORY") return null;
  const details = fieldOf(error, "details");
  const reason = fieldOf(details, "reason");
  if (reason !== "exact_content_hash" && reason !== "semantic_similarity") return null;
  return { status: "deduplicated", id: Text.parse(fieldOf(details, "existing_id")), reason };
}

function railRead(reply: Reply): unknown {
  const { status, headers, body } = reply;
  const retryable = status === 408 || status === 429 || status >= 500;
  if (!isSuccess(reply)) throw new ClientFault("store", status, `HTTP ${status}`, { retryable });
  if (headers.get("X-Truncated")?.toLowerCase() === "true") throw new ClientFault("store", status, "truncated rules");
  return body;
}

/** The OpenClaw plugin 2.16.1: one call for everything, 204 is success, errors are told apart by their text. */
export function pluginCall(transport: Client, tenantKey = "tenant-key") {
  return async (method: string, path: string, sent: PluginRequest = {}): Promise<unknown> => {
    const { body, query, headers = {}, agentKey } = sent;
    const ask = (key: string) =>
      transport.call(method, `/api/v1${path}`, { body, query, headers: { ...headers, "X-API-Key": key } });
    const first = await ask(agentKey ?? tenantKey);
    // A rejected agent key: once more with the tenant's, all other headers the same.
    const reply = first.status === 401 && agentKey !== undefined ? await ask(tenantKey) : first;
    if (!isSuccess(reply)) throw new Error(`Caura API ${reply.status}: ${JSON.stringify(reply.body).slice(0, 200)}`);
    if (reply.status === 204) return { ok: true };
    const server_ms = Number.parseInt(reply.headers.get("X-Response-Time") ?? "0", 10);
    expect(server_ms).toBeGreaterThanOrEqual(0);
    return z.looseObject({}).or(z.array(z.unknown())).parse(reply.body);
  };
}

export interface PluginRequest {
  readonly body?: Fields;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Key of the agent, where it has one. */
  readonly agentKey?: string;
}

/** What the plugin takes for the list of a search, and for the score of its first item. */
export const pluginItems = (data: unknown): Fields[] =>
  z.array(z.looseObject({})).parse(fieldOf(data, "items") ?? fieldOf(data, "results"));
export const pluginScore = (item: Fields | undefined): number => Number(item?.score ?? item?.similarity ?? 0);
