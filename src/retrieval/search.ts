import { withUsage } from "../memories/usage.ts";
import type { Ctx } from "../ports/context.ts";
import type { SearchReply } from "../schema/retrieval.ts";
import { toSearchDiagnostic } from "./diagnose.ts";
import { findMemories, toItems, trackRecalls } from "./findings.ts";
import type { SearchInput } from "./plan.ts";
import { planSearch } from "./plan.ts";

/** Finds memories by meaning and keyword, best first. */
export async function searchMemories(ctx: Ctx, input: SearchInput): Promise<SearchReply> {
  const findings = await findMemories(ctx, planSearch(ctx, input));
  const diagnostic = input.body.diagnostic === true;
  return {
    items: await withUsage(ctx, findings.plan.filter.tenant_id, toItems(findings)),
    recall_tracked: diagnostic ? false : trackRecalls(ctx, findings),
    diagnostic: diagnostic ? toSearchDiagnostic(findings) : null,
    warnings: findings.warnings.length > 0 ? [...findings.warnings] : null,
  };
}
