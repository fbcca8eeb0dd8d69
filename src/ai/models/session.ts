import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelInput, ModelSpec } from "../worker/protocol.ts";
import { readModelFile } from "./files.ts";
import { encode, openTokenizer, type TokenRow } from "./tokenizer.ts";
import { openWordVectors, WORD_VECTORS_FILE, type WordVectors } from "./word-vectors.ts";

const MODEL_FILE = "onnx/model_quantized.onnx";
/** What a network is called to take that reads vectors of tokens instead of their numbers. */
const VECTORS_INPUT = "inputs_embeds";

/** A tokenizer and a network, loaded from local files. */
export interface ModelSession {
  /** The tokens of one input, cut to the model's limit. */
  encode(input: ModelInput): TokenRow;
  /** Runs rows together; shorter ones are padded. Returns the first output, flat, and the padded length. */
  run(rows: readonly TokenRow[]): Promise<{ output: Float32Array; length: number }>;
  /** Gives its memory back; nothing may be asked of it any more. */
  release(): Promise<void>;
}

/** Loads a model folder with the native runtime; nothing is ever fetched. */
export async function openSession(spec: ModelSpec, threads: number): Promise<ModelSession> {
  const { folder, words_folder = folder } = spec;
  const tokenizer = await openTokenizer(words_folder);
  const network = await openNetwork(join(folder, MODEL_FILE), threads);
  const takesVectors = network.inputNames.includes(VECTORS_INPUT);
  const vectors = takesVectors ? await openWordVectors(join(words_folder, WORD_VECTORS_FILE)) : null;
  return {
    encode: (input) => encode(tokenizer, input, spec.max_tokens),
    run: (rows) => runNetwork(network, vectors, rows),
    release: () => network.release(),
  };
}

/**
 * A function of its own: in one scope with the session's functions, the file's bytes would stay in memory as long as these.
 * Without its arena the runtime gives back what it took for the longest text; runs were measured to take no longer. Its
 * threads sleep between two runs.
 */
function openNetwork(path: string, threads: number): Promise<InferenceSession> {
  const bytes = readModelFile(path);
  return InferenceSession.create(bytes, {
    executionProviders: ["cpu"],
    executionMode: "sequential",
    interOpNumThreads: 1,
    intraOpNumThreads: threads,
    enableCpuMemArena: false,
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
}

async function runNetwork(network: InferenceSession, vectors: WordVectors | null, rows: readonly TokenRow[]) {
  const length = Math.max(...rows.map(({ ids }) => ids.length));
  const inputs = numbersOf(rows, length);
  if (vectors) {
    const values = await vectors.lookUp(rows, length);
    inputs[VECTORS_INPUT] = new Tensor("float32", values, [rows.length, length, vectors.width]);
  }
  // Not every model tells two texts apart, or asks for numbers of tokens.
  const asked = Object.entries(inputs).filter(([name]) => network.inputNames.includes(name));
  const outputs = await network.run(Object.fromEntries(asked));
  const output = outputs[network.outputNames[0] ?? ""]?.data;
  if (!(output instanceof Float32Array)) throw new Error("The model answered with something other than floats.");
  return { output, length };
}

/** Whatever is told of tokens by whole numbers, by the names that networks have for it. */
function numbersOf(rows: readonly TokenRow[], length: number): Record<string, Tensor> {
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
  const named = Object.entries({ input_ids: tokens, attention_mask: mask, token_type_ids: types });
  return Object.fromEntries(named.map(([name, values]) => [name, new Tensor("int64", values, [rows.length, length])]));
}
