import { ViewQuery } from "../../core/schema/memory-view.ts";
import { WhyNotReply, WhyNotRequest } from "../../core/schema/observing/why-not.ts";
import { RecallReplies, RecallRequest, SearchReplies, SearchRequest } from "../../core/schema/retrieval.ts";
import { recallMemories } from "../../search/recall.ts";
import { searchMemories } from "../../search/search.ts";
import { whyNot } from "../../search/why/why-not.ts";
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
    query: ViewQuery,
    body: SearchRequest,
    reply: SearchReplies,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { query, body, ignored }) => searchMemories(ctx, { query, body, ignored }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/search/why-not",
    id: "whyNot",
    tag,
    summary: "Say why a search does not return a memory",
    description:
      "The body is that of the search, and the memory that is missed. The search is made, and the memory followed through it " +
      "up to the first stage that it does not come through. No memory counts as recalled.",
    rate: "search",
    body: WhyNotRequest,
    reply: WhyNotReply,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN", "NOT_FOUND"],
    run: (ctx, { body, ignored }) => whyNot(ctx, { body, ignored }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/recall",
    id: "recallMemories",
    tag,
    summary: "Find memories and summarise what answers",
    rate: "search",
    query: ViewQuery,
    body: RecallRequest,
    reply: RecallReplies,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { query, body, ignored }) => recallMemories(ctx, { query, body, ignored }),
  }),
];
