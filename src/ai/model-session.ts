import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AutoTokenizer, env, type PreTrainedTokenizer } from "@xenova/transformers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelInput, ModelSpec } from "./worker-protocol.ts";

const MODEL_FILE = "onnx/model_quantized.onnx";

/** A tokenizer and a network, loaded from local files. */
export interface ModelSession {
  /** Token numbers of one input, special tokens included, cut to the model's limit. */
  encode(input: ModelInput): number[];
  /** Runs rows together; shorter ones are padded. Returns the first output, flat, and the padded length. */
  run(rows: readonly (readonly number[])[]): Promise<{ output: Float32Array; length: number }>;
}

/** Loads a model folder with the native runtime; nothing is ever fetched. */
export async function openSession(spec: ModelSpec, threads: number): Promise<ModelSession> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(spec.folder);
  const tokenizer = await AutoTokenizer.from_pretrained(basename(spec.folder));
  const network = await InferenceSession.create(new Uint8Array(readFileSync(join(spec.folder, MODEL_FILE))), {
    executionProviders: ["cpu"],
    executionMode: "sequential",
    interOpNumThreads: 1,
    intraOpNumThreads: threads,
  });
  return {
    encode: (input) => cut(encodeWith(tokenizer, input), spec.max_tokens),
    run: (rows) => runNetwork(network, rows),
  };
}

const encodeWith = (tokenizer: PreTrainedTokenizer, { text, pair }: ModelInput): number[] =>
  tokenizer.encode(text, pair ?? null);

/** Keeps the closing special token, which the tokenizer's own truncation drops. */
function cut(ids: number[], limit: number): number[] {
  return ids.length <= limit ? ids : [...ids.slice(0, limit - 1), ...ids.slice(-1)];
}

async function runNetwork(network: InferenceSession, rows: readonly (readonly number[])[]) {
  const length = Math.max(...rows.map((row) => row.length));
  const dims = [rows.length, length];
  const ids = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(rows.length * length);
  for (const [at, row] of rows.entries()) {
    for (const [offset, id] of row.entries()) {
      ids[at * length + offset] = BigInt(id);
      mask[at * length + offset] = 1n;
    }
  }
  const outputs = await network.run({
    input_ids: new Tensor("int64", ids, dims),
    attention_mask: new Tensor("int64", mask, dims),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), dims),
  });
  const output = outputs[network.outputNames[0] ?? ""]?.data;
  if (!(output instanceof Float32Array)) throw new Error("The model answered with something other than floats.");
  return { output, length };
}
