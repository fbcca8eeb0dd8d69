import { correctMemory } from "../../conflicts/correct.ts";
import { getContradictions } from "../../conflicts/read.ts";
import { IfMatchHeaders } from "../../core/schema/common.ts";
import { ContradictionsReply } from "../../core/schema/contradiction.ts";
import { BulkResult, BulkWrite, Memory, MemoryDetail, MemoryWrite } from "../../core/schema/memory.ts";
import {
  Corrected,
  Correction,
  MemoryPatchBody,
  MemoryPatchQuery,
  StatusChange,
  StatusChanged,
} from "../../core/schema/memory-change.ts";
import {
  BulkHeaders,
  BulkQuery,
  ContradictionsQuery,
  ListReply,
  MemoryAddressQuery,
  MemoryCount,
  MemoryCountQuery,
  MemoryListQuery,
  MemoryPath,
  MemoryStats,
  MemoryStatsQuery,
  SimilarReply,
} from "../../core/schema/memory-query.ts";
import { writeMemories } from "../../memories/bulk.ts";
import { similarMemories } from "../../memories/likeness/similar.ts";
import { changeStatus, patchMemory } from "../../memories/patch.ts";
import { countMemories, getMemory, listMemories } from "../../memories/read.ts";
import { memoryStats } from "../../memories/stats.ts";
import { writeMemory } from "../../memories/write.ts";
import { REPLAYED } from "../idempotency.ts";
import type { Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";

const tag = "Memories";
const path = "/api/v1/memories";

/** Refusals of every write. */
export const WRITE_REFUSALS = [
  "TENANT_MISMATCH",
  "AGENT_TRUST_TOO_LOW",
  "AGENT_IDENTITY_MISMATCH",
  "FLEET_SCOPE_FORBIDDEN",
] as const;

/** Refusals of what reads more than one memory. */
const SCOPE_REFUSALS = [
  "BAD_REQUEST",
  "TENANT_MISMATCH",
  "AGENT_TRUST_TOO_LOW",
  "AGENT_IDENTITY_MISMATCH",
  "FLEET_SCOPE_FORBIDDEN",
] as const;

export const memoryOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path,
    id: "writeMemory",
    tag,
    summary: "Write one memory",
    description:
      "Embedded before the reply, so that the next search finds it by meaning. An exact duplicate is refused.",
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    body: MemoryWrite,
    reply: Memory,
    versioned: true,
    statuses: [201],
    refusals: [...WRITE_REFUSALS, "PLAN_LIMIT_READ_ONLY", "DUPLICATE_MEMORY"],
    run: async (ctx, { body, ignored, attempt }) => {
      const { memory, replayed } = await writeMemory(ctx, { body, ignored, attempt });
      return replayed ? withHeaders(memory, REPLAYED) : memory;
    },
  }),
  operation({
    method: "GET",
    path,
    id: "listMemories",
    tag,
    summary: "List memories",
    query: MemoryListQuery,
    reply: ListReply,
    statuses: [200],
    refusals: SCOPE_REFUSALS,
    run: (ctx, { query }) => listMemories(ctx, query),
  }),
  operation({
    method: "POST",
    path: `${path}/bulk`,
    id: "writeMemories",
    tag,
    summary: "Write up to 100 memories",
    description:
      "Found by keyword at once, by meaning as soon as `metadata.embedding_pending` clears, which `wait=searchable` waits for. Items fail alone: 207 when some did.",
    rate: "bulk",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    headers: BulkHeaders,
    query: BulkQuery,
    body: BulkWrite,
    itemsApart: "items",
    reply: BulkResult,
    statuses: [200, 207],
    statusOf: (result) => (result.errors > 0 ? 207 : 200),
    refusals: WRITE_REFUSALS,
    run: (ctx, { body, query, headers, attempt, refused }) =>
      writeMemories(ctx, {
        body,
        attempt_id: headers["x-bulk-attempt-id"] ?? attempt,
        wait: query.wait,
        refused,
      }),
  }),
  operation({
    method: "GET",
    path: `${path}/stats`,
    id: "memoryStats",
    tag,
    summary: "Aggregate memories by type, agent and status",
    query: MemoryStatsQuery,
    reply: MemoryStats,
    statuses: [200],
    refusals: SCOPE_REFUSALS,
    run: (ctx, { query }) => memoryStats(ctx, query),
  }),
  operation({
    method: "GET",
    path: `${path}/count`,
    id: "countMemories",
    tag,
    summary: "Count live memories, or those of one status",
    query: MemoryCountQuery,
    reply: MemoryCount,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => countMemories(ctx, query),
  }),
  operation({
    method: "GET",
    path: `${path}/{memory_id}/contradictions`,
    id: "getContradictions",
    tag,
    summary: "What the contradiction detector found about one memory",
    params: MemoryPath,
    query: ContradictionsQuery,
    reply: ContradictionsReply,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { params, query }) => getContradictions(ctx, { ...query, ...params }),
  }),
  operation({
    method: "GET",
    path: `${path}/{memory_id}/similar`,
    id: "listSimilar",
    tag,
    summary: "Live memories that say nearly the same as one",
    rate: "search",
    params: MemoryPath,
    query: MemoryAddressQuery,
    reply: SimilarReply,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { params, query }) => similarMemories(ctx, { ...query, ...params }),
  }),
  operation({
    method: "POST",
    path: `${path}/{memory_id}/correct`,
    id: "correctMemory",
    tag,
    summary: "Write what holds now in place of one memory",
    description:
      "The older memory becomes outdated and stays as history. It holds again when the newer one is deleted.",
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    params: MemoryPath,
    headers: IfMatchHeaders,
    query: MemoryAddressQuery,
    body: Correction,
    reply: Corrected,
    statuses: [201],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST", "NOT_FOUND", "PRECONDITION_FAILED"],
    run: (ctx, { params, query, headers, body, attempt }) =>
      correctMemory(ctx, { address: { ...query, ...params }, body, attempt, if_match: headers["if-match"] }),
  }),
  operation({
    method: "PATCH",
    path: `${path}/{memory_id}/status`,
    id: "changeMemoryStatus",
    tag,
    summary: "Move one memory to a status by hand",
    description: "Also undoes what the contradiction detector did.",
    rate: "write",
    changes: ["memories", "conflicts"],
    params: MemoryPath,
    headers: IfMatchHeaders,
    query: MemoryAddressQuery,
    body: StatusChange,
    reply: StatusChanged,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "PRECONDITION_FAILED"],
    run: (ctx, { params, query, headers, body }) =>
      changeStatus(ctx, { ...query, ...params, if_match: headers["if-match"] }, body),
  }),
  operation({
    method: "GET",
    path: `${path}/{memory_id}`,
    id: "getMemory",
    tag,
    summary: "Read one memory",
    params: MemoryPath,
    query: MemoryAddressQuery,
    reply: MemoryDetail,
    versioned: true,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { params, query }) => getMemory(ctx, { ...query, ...params }),
  }),
  operation({
    method: "PATCH",
    path: `${path}/{memory_id}`,
    id: "patchMemory",
    tag,
    summary: "Change the named fields of one memory",
    description:
      "Fields are last-write-wins; metadata merges by key, so that two callers setting two keys keep both; with If-Match, the first of two who read the same wins.",
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    params: MemoryPath,
    headers: IfMatchHeaders,
    query: MemoryPatchQuery,
    body: MemoryPatchBody,
    reply: Memory,
    versioned: true,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST", "NOT_FOUND", "PRECONDITION_FAILED", "DUPLICATE_MEMORY"],
    run: (ctx, { params, query, headers, body }) =>
      patchMemory(ctx, { ...params, query, body, if_match: headers["if-match"] }),
  }),
];
