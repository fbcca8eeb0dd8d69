import type { Embedder } from "../../../src/core/ports/embedder.ts";
import type { RowVectors } from "../../../src/core/ports/memory-store.ts";
import { ROW_SEED } from "../folder.ts";
import type { Dice } from "../text.ts";
import { createAuthor } from "../text.ts";

/** Texts that the models themselves embed: the centres of the clusters, and what the noise is made of. */
const MODEL_TEXTS = 1_000;
/** Each row is its centre plus so many differences of two model vectors, each of this length. */
const NOISE_TERMS = 4;
const NOISE_LENGTH = 0.25;

/** The vectors of a row but for its context, which the row before it decides. */
export type PlainVectors = Pick<RowVectors, "own">;

/** Makes the vectors of rows of these texts. */
export type VectorMaker = (texts: readonly string[]) => Promise<PlainVectors[]>;

/**
 * Vectors with the structure of real ones, thousands a second. The centre of a row is one that the model gave to a made-up
 * text, drawn by Zipf's law, so that clusters differ in size. The noise is a sum of differences of such vectors: its covariance
 * is that of the model's own vectors, with their decaying spectrum, at half its size.
 */
export async function clusteredVectors(embedder: Embedder, dice: Dice): Promise<VectorMaker> {
  const read = createAuthor(ROW_SEED + 1)
    .rows(MODEL_TEXTS)
    .map(({ content }) => content);
  const vectors = await embedder.embed(read, { role: "passage", priority: "background" });
  const any = () => Math.floor(dice() * MODEL_TEXTS);
  const one = (): PlainVectors => {
    const centre = Math.floor(MODEL_TEXTS ** dice()) - 1;
    const pairs = Array.from({ length: NOISE_TERMS }, () => [any(), any()] as const);
    return { own: noisy(vectors, centre, pairs) };
  };
  return async (texts) => texts.map(one);
}

/** The vectors that the embedder itself gives to each text. */
export const embeddedVectors =
  (embedder: Embedder): VectorMaker =>
  async (texts) => {
    const vectors = await embedder.embed(texts, { role: "passage", priority: "background" });
    return vectors.map((own) => ({ own }));
  };

const NONE = new Float32Array();

function noisy(
  vectors: readonly Float32Array[],
  centre: number,
  pairs: readonly (readonly [number, number])[],
): Float32Array {
  const sum = (vectors[centre] ?? NONE).slice();
  for (const [plus, minus] of pairs) {
    const [a, b] = [vectors[plus] ?? NONE, vectors[minus] ?? NONE];
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + NOISE_LENGTH * ((a[i] ?? 0) - (b[i] ?? 0));
  }
  return unit(sum);
}

/** The vector of length one in the same direction, in place. */
export function unit(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
