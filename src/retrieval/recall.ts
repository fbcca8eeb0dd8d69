import type { Ctx } from "../ports/context.ts";
import type { RecallReply, RecallRequest } from "../schema/retrieval.ts";
import { sharedDiagnostic } from "./diagnose.ts";
import { findMemories, toItem, trackRecalls } from "./findings.ts";
import { planSearch } from "./plan.ts";
import { EXTRACTIVE, summarise } from "./summarise.ts";

/** Tokens a summary may have unless the caller says otherwise. */
const SUMMARY_TOKENS = 300;

export interface RecallInput {
  readonly body: RecallRequest;
  readonly ignored: readonly string[];
}

/** Searches, then writes down the sentences that answer. `memories` keep the order of rank. */
export async function recallMemories(ctx: Ctx, { body, ignored }: RecallInput): Promise<RecallReply> {
  const startedAt = ctx.clock.now();
  const findings = await findMemories(ctx, planSearch(ctx, { body, ignored }));
  const memories = findings.returned.map(toItem);
  const summary = await summarise(ctx, findings, body.max_tokens ?? SUMMARY_TOKENS);
  const diagnostic = body.diagnostic === true;
  if (!diagnostic) trackRecalls(ctx, findings);
  return {
    query: findings.plan.query,
    summary,
    memory_count: memories.length,
    memories,
    ...(body.items_alias === false ? {} : { items: memories }),
    recall_ms: Math.round(ctx.clock.now() - startedAt),
    ...EXTRACTIVE,
    diagnostic: diagnostic
      ? {
          ...sharedDiagnostic(findings),
          ...EXTRACTIVE,
          recall_prompt: null,
          recall_raw: null,
          top_k_used: findings.plan.top_k,
        }
      : null,
    warnings: findings.warnings.length > 0 ? [...findings.warnings] : null,
  };
}
