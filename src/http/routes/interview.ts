import { InterviewSubmission, InterviewTaken } from "../../core/schema/interview.ts";
import { submitInterview } from "../../memories/interview.ts";
import type { Operation } from "../operation.ts";
import { operation } from "../operation.ts";

export const interviewOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/interview/submit",
    id: "submitInterview",
    tag: "Memories",
    summary: "Submit a transcript, which is refused: interviews are not enabled",
    description: "Clients of the existing product ask for it and go on when it is refused. Write statements instead.",
    rate: "bulk",
    changes: ["memories"],
    body: InterviewSubmission,
    reply: InterviewTaken,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "FEATURE_DISABLED"],
    run: (ctx, { body }) => submitInterview(ctx, body),
  }),
];
