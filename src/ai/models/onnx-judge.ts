import { describeCause } from "../../core/kernel/log.ts";
import type { Judge, Judgement, JudgeState } from "../../core/ports/judge.ts";
import type { ModelWorker } from "../worker/model-worker.ts";
import type { ModelSpec } from "../worker/protocol.ts";
import { CHARACTERS_PER_TOKEN, checkModelFiles } from "./files.ts";

/** Tokens of both texts together; what the judge was trained with. */
const MAX_TOKENS = 128;

/** Times in a row that it may fail before whoever asks goes on without: some texts it may never read. */
const TRIES = 4;

/** A judge's folder, and that of the model whose tokenizer and word vectors it reads with; its own where absent. */
export interface JudgeFolders {
  readonly folder: string;
  readonly words_folder?: string;
}

/** What the worker must know of a judge, which answers so many numbers. Files that are missing show when it is first asked. */
export const judgeSpec = (id: string, folders: JudgeFolders, width: number = JUDGED.length): ModelSpec => ({
  ...{ id, task: "judge", max_tokens: MAX_TOKENS, width },
  ...folders,
});

/** What the network answers of a pair, in this order. */
const JUDGED = ["clash", "replaced", "whole"] as const satisfies readonly (keyof Judgement)[];

/** Its numbers of each pair as what it makes of that. */
export const judgementsOf = (rows: readonly Float32Array[]): Judgement[] =>
  rows.map(([clash = 0, replaced = 0, whole = 0]) => ({ clash, replaced, whole }));

/**
 * Judges with a model that the worker loads when it is first asked; without it, whoever asks goes on without. One that fails
 * in passing (its queue is full, say) throws, but the last of so many times in a row.
 */
export function onnxJudge(spec: ModelSpec, worker: ModelWorker): Judge {
  let state: JudgeState = { phase: "waiting" };
  let failures = 0;
  return {
    id: spec.id,
    state: () => state,
    async score(pairs, { signal } = {}) {
      signal?.throwIfAborted();
      try {
        if (state.phase !== "ready") refuseBroken(spec);
        const inputs = pairs.map(({ older, newer }) => ({ text: readable(older), pair: readable(newer) }));
        const rows = await worker.run(spec, inputs, { priority: "background", signal });
        state = { phase: "ready" };
        failures = 0;
        return judgementsOf(rows);
      } catch (error) {
        signal?.throwIfAborted();
        const mayAnswer =
          !(error instanceof BrokenModel) && worker.state(spec).phase !== "failed" && ++failures < TRIES;
        state = { phase: "failed", reason: describeCause(error) };
        if (mayAnswer) throw error;
        failures = 0;
        return null;
      }
    },
  };
}

/** No time mends it. */
class BrokenModel extends Error {
  override readonly name = "BrokenModel";
}

/** Throws what is wrong with the files of a model, before the runtime fails on them in words of its own. */
function refuseBroken({ folder, words_folder = folder }: ModelSpec): void {
  try {
    const folders = [...new Set([folder, words_folder])];
    const problems = folders.flatMap((one) => checkModelFiles(one, { digests: false }));
    if (problems.length > 0) throw new Error(problems.join(" "));
  } catch (cause) {
    throw new BrokenModel(describeCause(cause), { cause });
  }
}

const readable = (text: string): string => text.slice(0, MAX_TOKENS * CHARACTERS_PER_TOKEN);
