import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { SearchCtx } from "../core/ports/context.ts";
import type { Llm, LlmRequest } from "../core/ports/llm.ts";
import type { Warning } from "../core/schema/common.ts";
import type { SearchResults } from "./find.ts";
import { narrationPrompt, readNarration } from "./llm-summary.ts";
import { EXTRACTIVE, summarise } from "./summarise.ts";

/** Tokens a summary may have unless the caller says otherwise: one of sentences, one that a model writes. */
const EXTRACTIVE_TOKENS = 300;
const NARRATION_TOKENS = 500;
const NARRATION_TEMPERATURE = 0.3;
/** What a caller waits for the model before the summary is made without it. */
const NARRATION_LIMIT_MS = 15_000;

export interface Summary {
  readonly text: string;
  readonly recall_provider: string;
  readonly recall_model: string;
  /** All that a model was sent, and what it sent back; null where there was neither. */
  readonly recall_prompt: string | null;
  readonly recall_raw: string | null;
  readonly warnings: readonly Warning[];
}

/** Sums up what a search found: the language model writes if there is one and it can, else the memories speak for themselves. */
export async function writeSummary(
  ctx: SearchCtx,
  findings: SearchResults,
  max_tokens: number | null,
): Promise<Summary> {
  const { llm } = ctx;
  const extract = async () => ({
    text: await summarise(ctx, findings, max_tokens ?? EXTRACTIVE_TOKENS),
    ...EXTRACTIVE,
  });
  if (llm === null || findings.returned.length === 0)
    return { ...(await extract()), recall_prompt: null, recall_raw: null, warnings: [] };
  const source = sourceOf(findings, max_tokens ?? NARRATION_TOKENS);
  const { system, prompt } = narrationPrompt(source);
  const recall_prompt = `${system}\n\n${prompt}`;
  const told = await ask(llm, { system, prompt, max_tokens: source.max_tokens, temperature: NARRATION_TEMPERATURE });
  const recall_raw = told.raw;
  const text = told.raw === null ? null : readNarration(told.raw, source);
  if (text !== null) {
    const { provider, model } = llm;
    return { text, recall_provider: provider, recall_model: model, recall_prompt, recall_raw, warnings: [] };
  }
  const warning = unavailable(llm, told.error);
  ctx.log.warn("recall without the language model", told.error ? { cause: describeCause(told.error) } : {});
  return { ...(await extract()), recall_prompt, recall_raw, warnings: [warning] };
}

const sourceOf = ({ plan, returned }: SearchResults, max_tokens: number) => ({
  query: plan.query,
  today: (plan.filter.valid_at ?? toTimestamp(plan.now)).slice(0, 10),
  memories: returned.map(({ memory }) => memory),
  max_tokens,
});

interface Told {
  readonly raw: string | null;
  /** Why there is no answer; null when there is one. */
  readonly error: unknown;
}

const ask = (llm: Llm, request: LlmRequest): Promise<Told> =>
  llm.complete(request, { signal: AbortSignal.timeout(NARRATION_LIMIT_MS) }).then(
    (raw) => ({ raw, error: null }),
    (error: unknown) => ({ raw: null, error }),
  );

/** Says that the model did not write the summary, and why: no answer, none in time, or none that could be used. */
function unavailable({ provider, model }: Llm, error: unknown): Warning {
  const { message, reason } = whyNot(error);
  return {
    code: "llm_unavailable",
    message: `${message} The summary is made of sentences of the memories instead.`,
    details: { reason, provider, model },
  };
}

function whyNot(error: unknown): { readonly message: string; readonly reason: string } {
  if (error === null)
    return { message: "The language model's answer was empty or not of these memories.", reason: "unusable" };
  if (error instanceof AppError) return { message: error.message, reason: String(error.details?.reason ?? "failed") };
  return {
    message: `The language model did not answer within ${NARRATION_LIMIT_MS / 1_000} seconds.`,
    reason: "timeout",
  };
}
