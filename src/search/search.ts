import type { Ctx, SearchCtx } from "../core/ports/context.ts";
import type { SearchReplies } from "../core/schema/retrieval.ts";
import { askThread } from "./ask-thread.ts";
import { toSearchDiagnostic } from "./diagnose.ts";
import { findMemories, shownItems, trackRecalls } from "./find.ts";
import type { SearchInput } from "./plan.ts";
import { planSearch } from "./plan.ts";

/**
 * Finds memories by meaning and keyword, best first.
 *
 * @example
 * const reply = await searchMemories(ctx, { body: SearchRequest.parse({ tenant_id, query: "when do we release?" }), ignored: [] })
 */
export async function searchMemories(ctx: Ctx, input: SearchInput): Promise<SearchReplies> {
  const asked = await askThread(ctx, "search", input);
  // Safe: a thread replies with what the same verb returned there.
  return asked.reply ? (asked.reply as SearchReplies) : searchHere(ctx, asked.input);
}

/** The same on this thread. */
export async function searchHere(ctx: SearchCtx, input: SearchInput): Promise<SearchReplies> {
  const findings = await findMemories(ctx, await planSearch(ctx, input));
  const diagnostic = input.body.diagnostic === true;
  return {
    ...(await shownItems(ctx, findings, input)),
    recall_tracked: diagnostic ? false : trackRecalls(ctx, findings),
    diagnostic: diagnostic ? toSearchDiagnostic(findings) : null,
    warnings: findings.warnings.length > 0 ? [...findings.warnings] : null,
  };
}
