import { BATCH_MAX_TOKENS, planBatches } from "../worker/batching.ts";
import { type ModelInput, type ModelSpec, rowsOf } from "../worker/protocol.ts";
import { type ModelSession, openSession } from "./session.ts";
import type { TokenRow } from "./tokenizer.ts";

/** A model as the worker serves it: rows of `spec.width` numbers, as many an input as `rowsOf` says, in order. */
export interface ServedModel {
  run(inputs: readonly ModelInput[]): Promise<Float32Array<ArrayBuffer>>;
  /** Gives its memory back; nothing may be asked of it any more. */
  release(): Promise<void>;
}

/** Loads an embedding model: mean of the token vectors, scaled to unit length. */
export async function loadEmbeddingModel(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const session = await openSession(spec, threads);
  return { run: (inputs) => embed(session, inputs, spec.width), release: session.release };
}

async function embed(session: ModelSession, inputs: readonly ModelInput[], width: number) {
  const rows = inputs.map((input) => session.encode(input));
  const answers = inputs.map((input) => new Float32Array(rowsOf(input) * width));
  const lengths = rows.map(({ ids }) => ids.length);
  for (const batch of planBatches(lengths, BATCH_MAX_TOKENS)) {
    const { output, length } = await session.run(batch.flatMap((index) => rows[index] ?? []));
    const found = output.length / (batch.length * length);
    if (found !== width)
      throw new Error(`It makes ${found} numbers of a token instead of the ${width} that its manifest declares.`);
    for (const [position, index] of batch.entries()) {
      const [row, answer] = [rows[index], answers[index]];
      if (row && answer) pool(row, output.subarray(position * length * width), answer, width);
    }
  }
  return joined(answers);
}

function joined(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * The vectors of one input from those of its tokens: their mean, or of each turn that of its own tokens, and of these with
 * the tokens of the turn before. The closing token goes with the last turn, all that is before the first one with that.
 * The vector of what the model cannot read is silent: zeros.
 */
function pool(row: TokenRow, tokens: Float32Array, answer: Float32Array, width: number): void {
  const { ids, bounds } = row;
  const ends = bounds.length === 0 ? [ids.length] : bounds.with(-1, ids.length);
  const parts = ends.map((end, part): Part => {
    const from = ends[part - 1] ?? 0;
    const sum = new Float32Array(width);
    for (let token = from; token < end; token++) add(tokens, token * width, sum);
    return { sum, known: row.known[part] ?? 0 };
  });
  const [first, ...turns] = parts;
  if (first && turns.length === 0) answer.set(unit(first));
  for (const [turn, own] of turns.entries()) {
    const before = parts[turn] ?? own;
    const sum = own.sum.slice();
    add(before.sum, 0, sum);
    answer.set(unit(own), 2 * turn * width);
    answer.set(unit({ sum, known: own.known + before.known }), (2 * turn + 1) * width);
  }
}

/** Sum of the token vectors of a part of a text, and by how many more of its letters are known than unknown. */
interface Part {
  readonly sum: Float32Array;
  readonly known: number;
}

/** Adds as many numbers as `sum` has, from a place on. */
function add(values: Float32Array, from: number, sum: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (values[from + i] ?? 0);
}

/** Scales a sum of token vectors to length one, as the mean has the same direction; zeros for a silent part. */
function unit({ sum, known }: Part): Float32Array {
  if (known < 0) return new Float32Array(sum.length);
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (!(squares > 0 && Number.isFinite(squares))) throw new Error("The model answered with a vector of no length.");
  const scale = 1 / Math.sqrt(squares);
  return sum.map((value) => value * scale);
}
