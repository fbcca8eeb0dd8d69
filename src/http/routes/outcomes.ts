import { OutcomeReport, OutcomeTaken } from "../../core/schema/outcome.ts";
import { reportOutcome } from "../../memories/outcome.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";
import { WRITE_REFUSALS } from "./memories.ts";

export const outcomeOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/evolve/report",
    id: "reportOutcome",
    tag: "Memories",
    summary: "Report what came of acting on memories",
    description:
      "Stores the outcome as a memory and moves the weights of the memories acted on: up by 0.1 on success, by 0.03 on partial success, down by 0.15 on failure, within 0.05 and 1.",
    rate: "write",
    changes: ["memories"],
    idempotent: true,
    body: OutcomeReport,
    reply: OutcomeTaken,
    statuses: [200],
    refusals: [...WRITE_REFUSALS, "BAD_REQUEST", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { body, attempt }) => reportOutcome(ctx, body, attempt),
  }),
];
