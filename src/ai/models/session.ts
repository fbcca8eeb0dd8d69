import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AutoTokenizer, env, type PreTrainedTokenizer } from "@xenova/transformers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelInput, ModelSpec } from "../worker/protocol.ts";

const MODEL_FILE = "onnx/model_quantized.onnx";

/** One input as the network reads it. */
export interface TokenRow {
  /** Token numbers, special tokens included. */
  readonly ids: readonly number[];
  /** Where the second of two texts begins; the length of `ids` when there is one text. */
  readonly second: number;
}

/** A tokenizer and a network, loaded from local files. */
export interface ModelSession {
  /** The tokens of one input, cut to the model's limit. */
  encode(input: ModelInput): TokenRow;
  /** Runs rows together; shorter ones are padded. Returns the first output, flat, and the padded length. */
  run(rows: readonly TokenRow[]): Promise<{ output: Float32Array; length: number }>;
}

/** Loads a model folder with the native runtime; nothing is ever fetched. */
export async function openSession(spec: ModelSpec, threads: number): Promise<ModelSession> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(spec.folder);
  const tokenizer = await AutoTokenizer.from_pretrained(basename(spec.folder));
  const network = await openNetwork(join(spec.folder, MODEL_FILE), threads);
  return {
    encode: ({ text, pair }) =>
      pair === undefined ? encodeOne(tokenizer, text, spec) : encodePair(tokenizer, [text, pair], spec),
    run: (rows) => runNetwork(network, rows),
  };
}

/**
 * A function of its own: in one scope with the session's functions, the file's bytes would stay in memory as long as these.
 * Without its arena the runtime gives back what it took for the longest text; runs were measured to take no longer.
 */
function openNetwork(path: string, threads: number): Promise<InferenceSession> {
  const bytes = new Uint8Array(readFileSync(path));
  const options = {
    executionMode: "sequential",
    interOpNumThreads: 1,
    intraOpNumThreads: threads,
    enableCpuMemArena: false,
  } as const;
  return lentToNumbers(options, () => InferenceSession.create(bytes, { executionProviders: ["cpu"], ...options }));
}

/**
 * The runtime's binding reads the options of a model in memory off the wrong argument, the number that says where the model
 * begins (onnxruntime-node 1.14, inference_session_wrap.cc), and finds none there: it would take every core, and keep all
 * but one of them spinning between two runs. So numbers have the options while the model loads, in this thread alone.
 */
async function lentToNumbers<T>(options: InferenceSession.SessionOptions, load: () => Promise<T>): Promise<T> {
  const names = Object.entries(options);
  for (const [name, value] of names) Object.defineProperty(Number.prototype, name, { value, configurable: true });
  try {
    return await load();
  } finally {
    for (const [name] of names) Reflect.deleteProperty(Number.prototype, name);
  }
}

function encodeOne(tokenizer: PreTrainedTokenizer, text: string, { max_tokens }: ModelSpec): TokenRow {
  const ids = cut(tokenizer.encode(text, null), max_tokens);
  return { ids, second: ids.length };
}

/** Both texts with their closing token, the opening one once; of the longer text, tokens are dropped until both fit. */
function encodePair(tokenizer: PreTrainedTokenizer, texts: readonly [string, string], spec: ModelSpec): TokenRow {
  const [first, [, ...second]] = [tokenizer.encode(texts[0], null), tokenizer.encode(texts[1], null)];
  const room = spec.max_tokens;
  const half = Math.floor(room / 2);
  const kept = cut(first, Math.max(half, room - second.length));
  return { ids: [...kept, ...cut(second, room - kept.length)], second: kept.length };
}

/** Keeps the closing special token, which the tokenizer's own truncation drops. */
function cut(ids: readonly number[], limit: number): readonly number[] {
  return ids.length <= limit ? ids : [...ids.slice(0, limit - 1), ...ids.slice(-1)];
}

async function runNetwork(network: InferenceSession, rows: readonly TokenRow[]) {
  const length = Math.max(...rows.map(({ ids }) => ids.length));
  const dims = [rows.length, length];
  const tokens = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(tokens.length);
  const types = new BigInt64Array(tokens.length);
  for (const [index, { ids, second }] of rows.entries()) {
    for (const [offset, id] of ids.entries()) {
      tokens[index * length + offset] = BigInt(id);
      mask[index * length + offset] = 1n;
      types[index * length + offset] = offset < second ? 0n : 1n;
    }
  }
  const outputs = await network.run({
    input_ids: new Tensor("int64", tokens, dims),
    attention_mask: new Tensor("int64", mask, dims),
    token_type_ids: new Tensor("int64", types, dims),
  });
  const output = outputs[network.outputNames[0] ?? ""]?.data;
  if (!(output instanceof Float32Array)) throw new Error("The model answered with something other than floats.");
  return { output, length };
}
