import type { Ctx } from "../ports/context.ts";
import type { RecallReply, RecallRequest } from "../schema/retrieval.ts";
import { sharedDiagnostic } from "./diagnose.ts";
import { findMemories, toItem, trackRecalls } from "./findings.ts";
import { planSearch } from "./plan.ts";
import { writeSummary } from "./summary.ts";

export interface RecallInput {
  readonly body: RecallRequest;
  readonly ignored: readonly string[];
}

/** Searches, then writes down what answers. `memories` keep the order of rank. */
export async function recallMemories(ctx: Ctx, { body, ignored }: RecallInput): Promise<RecallReply> {
  const startedAt = ctx.clock.now();
  const findings = await findMemories(ctx, planSearch(ctx, { body, ignored }));
  const memories = findings.returned.map(toItem);
  const summary = await writeSummary(ctx, findings, body.max_tokens ?? null);
  const { recall_provider, recall_model, recall_prompt, recall_raw } = summary;
  const warnings = [...findings.warnings, ...summary.warnings];
  const diagnostic = body.diagnostic === true;
  if (!diagnostic) trackRecalls(ctx, findings);
  return {
    query: findings.plan.query,
    summary: summary.text,
    memory_count: memories.length,
    memories,
    ...(body.items_alias === false ? {} : { items: memories }),
    recall_ms: Math.round(ctx.clock.now() - startedAt),
    recall_provider,
    recall_model,
    diagnostic: diagnostic
      ? {
          ...sharedDiagnostic(findings),
          recall_provider,
          recall_model,
          recall_prompt,
          recall_raw,
          top_k_used: findings.plan.top_k,
        }
      : null,
    warnings: warnings.length > 0 ? warnings : null,
  };
}
