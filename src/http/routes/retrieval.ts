import { recallMemories } from "../../retrieval/recall.ts";
import { searchMemories } from "../../retrieval/search.ts";
import { RecallReply, RecallRequest, SearchReply, SearchRequest } from "../../schema/retrieval.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

const tag = "Search";

export const retrievalOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/search",
    id: "searchMemories",
    tag,
    summary: "Find memories by meaning and keyword",
    body: SearchRequest,
    reply: SearchReply,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH"],
    run: (ctx, { body, ignored }) => searchMemories(ctx, { body, ignored }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/recall",
    id: "recallMemories",
    tag,
    summary: "Find memories and summarise what answers",
    body: RecallRequest,
    reply: RecallReply,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH"],
    run: (ctx, { body, ignored }) => recallMemories(ctx, { body, ignored }),
  }),
];
