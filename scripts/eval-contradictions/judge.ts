import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { AutoTokenizer, env } from "@xenova/transformers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { LabelledPair } from "./set.ts";

const TOKENS_MAX = 128;
/** One pair a run, as the server does: in a batch, the scales of the quantised network let one pair's score depend on the others. */
const BATCH = 1;

/** Scores pairs with the judge in a folder: 0 to 1, how surely the newer text contradicts or replaces the older one. */
export async function scorePairs(folder: string, pairs: readonly LabelledPair[]): Promise<number[]> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(resolve(folder));
  const tokenizer = await AutoTokenizer.from_pretrained(basename(folder));
  const network = await InferenceSession.create(
    new Uint8Array(readFileSync(join(folder, "onnx/model_quantized.onnx"))),
  );
  const scores: number[] = [];
  for (let i = 0; i < pairs.length; i += BATCH) {
    const rows = pairs.slice(i, i + BATCH).map(({ older, newer }) => {
      const first = tokenizer.encode(older, null);
      return { ids: [...first, ...tokenizer.encode(newer, null).slice(1)].slice(0, TOKENS_MAX), second: first.length };
    });
    scores.push(...(await scoreRows(network, rows)));
  }
  return scores;
}

interface Row {
  readonly ids: readonly number[];
  /** Where the second text begins. */
  readonly second: number;
}

async function scoreRows(network: InferenceSession, rows: readonly Row[]): Promise<number[]> {
  const length = Math.max(...rows.map(({ ids }) => ids.length));
  const filled = (value: (row: Row, offset: number) => bigint) => {
    const numbers = rows.flatMap((row) => Array.from({ length }, (_, offset) => value(row, offset)));
    return new Tensor("int64", BigInt64Array.from(numbers), [rows.length, length]);
  };
  const outputs = await network.run({
    input_ids: filled(({ ids }, offset) => BigInt(ids[offset] ?? 0)),
    attention_mask: filled(({ ids }, offset) => (offset < ids.length ? 1n : 0n)),
    token_type_ids: filled(({ ids, second }, offset) => (offset >= second && offset < ids.length ? 1n : 0n)),
  });
  const logits = outputs[network.outputNames[0] ?? ""]?.data;
  if (!(logits instanceof Float32Array)) throw new Error("The judge answered with something other than floats.");
  return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
}
