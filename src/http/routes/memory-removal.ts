import { IfMatchHeaders } from "../../core/schema/common.ts";
import { Memory } from "../../core/schema/memory.ts";
import {
  BulkDelete,
  Deleted,
  MatchingDeleteBody,
  MatchingDeleteQuery,
  MatchingRestore,
  MemoryDeleteQuery,
  Restored,
} from "../../core/schema/memory-change.ts";
import { MemoryAddressQuery, MemoryPath } from "../../core/schema/memory-query.ts";
import { removeMatching, removeMemories, removeMemory } from "../../memories/remove.ts";
import { restoreMatching, restoreMemory } from "../../memories/restore.ts";
import type { Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";
import { WRITE_REFUSALS } from "./memories.ts";

const tag = "Memories";
const path = "/api/v1/memories";

/** What deleting means. */
const HIDDEN =
  "Hidden at once, erased for good once the grace of `memories.deleted_grace_days` is over, and restorable until then; with `erase` erased at once.";

/** Deleting memories and taking that back. */
export const removalOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: `${path}/bulk-delete`,
    id: "removeMemories",
    tag,
    summary: "Delete memories by id",
    description: HIDDEN,
    rate: "bulk",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    body: BulkDelete,
    reply: Deleted,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "ADMIN_REQUIRED"],
    run: (ctx, { body }) => removeMemories(ctx, body),
  }),
  operation({
    method: "POST",
    path: `${path}/restore`,
    id: "restoreMatchingMemories",
    tag,
    summary: "Take a deletion back",
    description:
      "All that was deleted at a moment or within a time, or what of it matches, within the grace of `memories.deleted_grace_days`. A row whose text a live one has by now stays deleted and is counted.",
    rate: "bulk",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    body: MatchingRestore,
    reply: Restored,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { body }) => restoreMatching(ctx, body),
  }),
  operation({
    method: "POST",
    path: `${path}/{memory_id}/restore`,
    id: "restoreMemory",
    tag,
    summary: "Bring a deleted memory back",
    description:
      "As it was, within the grace of `memories.deleted_grace_days`; what it contradicts is looked at anew. Takes the rights that deleting takes.",
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    params: MemoryPath,
    query: MemoryAddressQuery,
    reply: Memory,
    versioned: true,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "DUPLICATE_MEMORY", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { params, query }) => restoreMemory(ctx, { ...query, ...params }),
  }),
  operation({
    method: "DELETE",
    path,
    id: "removeMatchingMemories",
    tag,
    summary: "Delete all memories that match",
    description: `${HIDDEN} \`X-Deleted-At\` of the reply names the deletion, for \`POST ${path}/restore\`; \`X-Deleted-Count\` says how many.`,
    rate: "bulk",
    changes: ["memories", "entities", "conflicts"],
    query: MatchingDeleteQuery,
    body: MatchingDeleteBody.nullish(),
    reply: null,
    statuses: [204],
    refusals: [...WRITE_REFUSALS, "ADMIN_REQUIRED"],
    run: async (ctx, { query, body }) => {
      const { removed, deleted_at } = await removeMatching(ctx, { query, body });
      const named = deleted_at === null ? {} : { "X-Deleted-At": deleted_at };
      return withHeaders(undefined, { ...named, "X-Deleted-Count": String(removed) });
    },
  }),
  operation({
    method: "DELETE",
    path: `${path}/{memory_id}`,
    id: "removeMemory",
    tag,
    summary: "Delete one memory",
    description: HIDDEN,
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    params: MemoryPath,
    headers: IfMatchHeaders,
    query: MemoryDeleteQuery,
    reply: null,
    statuses: [204],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "PRECONDITION_FAILED", "ADMIN_REQUIRED"],
    run: async (ctx, { params, query, headers }) => {
      await removeMemory(ctx, { ...query, ...params, if_match: headers["if-match"] });
      return undefined;
    },
  }),
];
