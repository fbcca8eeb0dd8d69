import { listConflicts, reviewConflict } from "../../conflicts/review.ts";
import { Conflict, ConflictListQuery, ConflictPage, ConflictReview } from "../../core/schema/observing/conflict.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { WRITE_REFUSALS } from "./memories.ts";

const tag = "Conflicts";
const path = "/api/v1/conflicts";

export const conflictOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    id: "listConflicts",
    tag,
    summary: "What the contradiction detector found, to be reviewed",
    description:
      "Newest first, as far as the caller sees both memories. A page also ends before it grows too large for one reply. What callers corrected themselves is not among it.",
    query: ConflictListQuery,
    reply: ConflictPage,
    statuses: [200],
    refusals: ["BAD_REQUEST", "TENANT_MISMATCH", "AGENT_IDENTITY_MISMATCH", "FLEET_SCOPE_FORBIDDEN"],
    run: (ctx, { query }) => listConflicts(ctx, query),
  }),
  operation({
    method: "POST",
    path: `${path}/review`,
    id: "reviewConflict",
    tag,
    summary: "Decide about one finding",
    description:
      "A decision may be changed; repeating it changes nothing. An older memory that a caller withdrew by hand keeps that status. A changed text, or a newer memory that goes, ends the finding and what was decided of it, but what was accepted as outdated stays so.",
    rate: "write",
    changes: ["conflicts", "memories"],
    idempotent: true,
    body: ConflictReview,
    reply: Conflict,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST", "NOT_FOUND"],
    run: (ctx, { body }) => reviewConflict(ctx, body),
  }),
];
