import { MemoryAddressQuery, MemoryPath } from "../../../core/schema/memory-query.ts";
import { ToldCounted, ToldCounts, ToldReport } from "../../../core/schema/observing/told.ts";
import { getTold } from "../../../memories/told/read.ts";
import { recordTold } from "../../../memories/told/record.ts";
import type { Operation } from "../../operation.ts";
import { operation } from "../../operation.ts";

const tag = "Memories";
const path = "/api/v1/memories";

/** How often hooks told memories, and how often that was taken up. */
export const toldOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: `${path}/told`,
    id: "recordTold",
    tag,
    summary: "Count memories that a model was told unasked, and those that it took up",
    description:
      "Counts alone are kept, with the memory, until it says something else. They change no search, unless it asks for it by `sink_unused`.",
    rate: "write",
    changes: ["memories"],
    idempotent: true,
    body: ToldReport,
    reply: ToldCounted,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { body }) => recordTold(ctx, body),
  }),
  operation({
    method: "GET",
    path: `${path}/{memory_id}/told`,
    id: "getTold",
    tag,
    summary: "How often hooks told one memory, and how often that was taken up",
    params: MemoryPath,
    query: MemoryAddressQuery,
    reply: ToldCounts,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { params, query }) => getTold(ctx, { ...query, ...params }),
  }),
];
