import type { RecordOf } from "../../../core/schema/keeping/transfer.ts";

const UNDECIDED = { detected_status: null, review: null, reviewed_at: null, reviewed_by: null } as const;

/**
 * What was decided of a finding where it comes from, as far as it fits: what stands may have been accepted, and what a caller undid
 * counts as decided unless another finding about the two stands here, as `isDecided` tells.
 */
export function decisionOf(finding: RecordOf<"finding">, isDecided: boolean) {
  const { status, detected_status, retracted_at, retracted_why, reviewed_at, reviewed_by = null } = finding;
  if (retracted_at != null && retracted_why === "undone" && isDecided) {
    const at = reviewed_at ?? retracted_at;
    return { ...UNDECIDED, status, review: "both_stand", reviewed_at: at, reviewed_by } as const;
  }
  if (retracted_at != null || finding.review !== "accepted") return { ...UNDECIDED, status };
  const was = detected_status ?? status;
  const accepted = { review: "accepted", reviewed_at: reviewed_at ?? finding.created_at, reviewed_by } as const;
  return { ...accepted, status: "outdated", detected_status: was } as const;
}
