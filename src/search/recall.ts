import type { Ctx, SearchCtx } from "../core/ports/context.ts";
import type { RecallReplies, RecallRequest } from "../core/schema/retrieval.ts";
import { RECALL_MIN_SCORE } from "../core/schema/retrieval.ts";
import { chosenFields } from "../memories/projection.ts";
import { askThread } from "./ask-thread.ts";
import { sharedDiagnostic } from "./diagnose.ts";
import { findMemories, shownItems, trackRecalls } from "./find.ts";
import type { SearchInput } from "./plan.ts";
import { planSearch } from "./plan.ts";
import { writeSummary } from "./summary.ts";
import { emptiedByScore } from "./thresholds.ts";

export interface RecallInput extends SearchInput {
  readonly body: RecallRequest;
}

/** Searches, then writes down what answers. `memories` keep the order of rank. */
export async function recallMemories(ctx: Ctx, input: RecallInput): Promise<RecallReplies> {
  const asked = await askThread(ctx, "recall", input);
  // Safe: a thread replies with what the same verb returned there.
  return asked.reply ? (asked.reply as RecallReplies) : recallHere(ctx, asked.input);
}

/** The same on this thread. */
export async function recallHere(ctx: SearchCtx, input: RecallInput): Promise<RecallReplies> {
  const { body } = input;
  const startedAt = input.embedded?.came_at ?? ctx.clock.now();
  const isDoubled = hasItems(input);
  const asked = await planSearch(ctx, input);
  const plan = { ...asked, copies: isDoubled ? 2 : 1, least_best: asked.min_score === null ? RECALL_MIN_SCORE : null };
  const findings = await findMemories(ctx, plan);
  const found = await shownItems(ctx, findings, input);
  const summary = await writeSummary(ctx, findings, body.max_tokens ?? null);
  findings.watch.ended("summary");
  const { recall_provider, recall_model, recall_prompt, recall_raw } = summary;
  const isEmptied = asked.min_score === null && findings.returned.length === 0;
  const emptied = isEmptied ? emptiedByScore(findings.ranked, findings.plan) : [];
  const warnings = [...findings.warnings, ...emptied, ...summary.warnings];
  const diagnostic = body.diagnostic === true;
  if (!diagnostic) trackRecalls(ctx, findings);
  return {
    query: findings.plan.query,
    summary: summary.text,
    memory_count: found.items.length,
    ...("usage" in found
      ? { memories: found.items, usage: found.usage, ...(isDoubled ? { items: found.items } : {}) }
      : { memories: found.items, ...(isDoubled ? { items: found.items } : {}) }),
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

/** `items` is a copy of `memories` for older clients, who choose no fields. */
const hasItems = ({ body, query = {} }: RecallInput): boolean =>
  body.items_alias ?? chosenFields("found", body, query) === null;
