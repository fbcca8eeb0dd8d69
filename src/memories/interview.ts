import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { InterviewSubmission, InterviewTaken } from "../core/schema/interview.ts";

/** Makes memories of a transcript, which no tenant has enabled yet. Throws FEATURE_DISABLED. */
export async function submitInterview(ctx: Ctx, { tenant_id }: InterviewSubmission): Promise<InterviewTaken> {
  requireTenant(ctx, tenant_id);
  throw new AppError(
    "FEATURE_DISABLED",
    "Interviews are not enabled: Cairn does not make memories of transcripts, and nothing was stored. " +
      "Write statements with POST /api/v1/memories/bulk.",
    { feature: "interviewer" },
  );
}
