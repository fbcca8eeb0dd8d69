import type { z } from "zod";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { MemoryCount, MemoryPage, MemoryStats } from "../../../src/core/schema/memory-query.ts";
import { RecallReply, SearchReply } from "../../../src/core/schema/retrieval.ts";
import { aMemory, TENANT } from "../builders.ts";
import type { CallOptions, Client, Reply } from "./client.ts";

export const MEMORIES = "/api/v1/memories";
export const SEARCH = "/api/v1/search";
export const RECALL = "/api/v1/recall";
export const WHY_NOT = "/api/v1/search/why-not";

type Fields = Readonly<Record<string, unknown>>;
type Query = NonNullable<CallOptions["query"]>;

/** The calls of memories and retrieval, each expected to succeed. */
export interface MemoriesApi {
  write(fields?: Fields): Promise<Memory>;
  bulk(items: readonly unknown[], fields?: Fields, headers?: CallOptions["headers"]): Promise<BulkResult>;
  get(id: string, query?: Query): Promise<MemoryDetail>;
  list(query?: Query): Promise<MemoryPage>;
  remove(id: string, query?: Query): Promise<Reply>;
  count(query?: Query): Promise<number>;
  stats(query?: Query): Promise<MemoryStats>;
  search(query: string, fields?: Fields): Promise<SearchReply>;
  recall(query: string, fields?: Fields): Promise<RecallReply>;
}

export function memoriesApi(client: Client, tenant_id = TENANT): MemoriesApi {
  const post = <T>(schema: z.ZodType<T>, path: string, body: Fields, headers?: CallOptions["headers"]) =>
    client.ok(schema, "POST", path, { body: { tenant_id, ...body }, headers });
  return {
    write: (fields) => post(Memory, MEMORIES, aMemory({ tenant_id, ...fields })),
    bulk: (items, fields, headers) => post(BulkResult, `${MEMORIES}/bulk`, { ...fields, items }, headers),
    get: (id, query) => client.ok(MemoryDetail, "GET", `${MEMORIES}/${id}`, { query: { tenant_id, ...query } }),
    list: (query) => client.ok(MemoryPage, "GET", MEMORIES, { query }),
    remove: (id, query) => client.call("DELETE", `${MEMORIES}/${id}`, { query: { tenant_id, ...query } }),
    count: async (query) => (await client.ok(MemoryCount, "GET", `${MEMORIES}/count`, { query })).count,
    stats: (query) => client.ok(MemoryStats, "GET", `${MEMORIES}/stats`, { query }),
    search: (query, fields) => post(SearchReply, SEARCH, { query, ...fields }),
    recall: (query, fields) => post(RecallReply, RECALL, { query, ...fields }),
  };
}

export const contentsOf = ({ items }: { readonly items: readonly Memory[] }): string[] =>
  items.map(({ content }) => content);
export const idsOf = ({ items }: { readonly items: readonly Memory[] }): string[] => items.map(({ id }) => id);
