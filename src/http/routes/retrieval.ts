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
    rate: "search",
    body: SearchRequest,
    reply: SearchReply,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { body, ignored }) => searchMemories(ctx, { body, ignored }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/recall",
    id: "recallMemories",
    tag,
    summary: "Find memories and summarise what answers",
    rate: "search",
    body: RecallRequest,
    reply: RecallReply,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { body, ignored }) => recallMemories(ctx, { body, ignored }),
  }),
];
