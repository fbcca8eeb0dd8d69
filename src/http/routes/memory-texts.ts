import { IfMatchHeaders } from "../../core/schema/common.ts";
import { KeptTextPath, KeptTexts } from "../../core/schema/keeping/kept-text.ts";
import { Memory } from "../../core/schema/memory.ts";
import { MemoryAddressQuery, MemoryPath } from "../../core/schema/memory-query.ts";
import { bringTextBack } from "../../memories/kept/bring-back.ts";
import { listTexts } from "../../memories/kept/list.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { WRITE_REFUSALS } from "./memories.ts";

const tag = "Memories";
const path = "/api/v1/memories/{memory_id}/texts";

/** What memories said before they were edited. */
export const textOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    id: "listMemoryTexts",
    tag,
    summary: "What one memory said before it was edited",
    description:
      "Newest first, of many edits the last ones; kept for the grace of `memories.deleted_grace_days`, and shown to who saw it when it was the text.",
    params: MemoryPath,
    query: MemoryAddressQuery,
    reply: KeptTexts,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { params, query }) => listTexts(ctx, { ...query, ...params }),
  }),
  operation({
    method: "POST",
    path: `${path}/{text_id}/restore`,
    id: "restoreMemoryText",
    tag,
    summary: "Have one memory say again what it said before an edit",
    description: "What it said in between is kept in turn.",
    rate: "write",
    changes: ["memories", "entities", "conflicts"],
    idempotent: true,
    params: KeptTextPath,
    headers: IfMatchHeaders,
    query: MemoryAddressQuery,
    reply: Memory,
    versioned: true,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "NOT_FOUND", "PRECONDITION_FAILED", "DUPLICATE_MEMORY"],
    run: (ctx, { params, query, headers }) =>
      bringTextBack(ctx, { ...query, ...params, if_match: headers["if-match"] }),
  }),
];
