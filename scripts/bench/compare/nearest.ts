import { Database } from "bun:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbedderKind } from "../../../src/ai/open.ts";
import { openModels } from "../../../src/ai/open.ts";
import { blobVector } from "../../../src/storage/units/vectors.ts";

/** The vectors of questions, by the same model as the servers have. */
export async function questionVectors(embedder: EmbedderKind, questions: readonly string[]): Promise<Float32Array[]> {
  const models = openModels(embedder, { cacheDir: tmpdir() });
  const vectors = await models.embedder.embed(questions, { role: "query", priority: "background" });
  await models.embedder.close();
  return vectors;
}

/** Rows of a folder, by a condition on the table of memories. */
export interface Rows {
  readonly where: string;
  readonly params: readonly (string | number)[];
}

/** The ids of the rows truly nearest to each question, nearest first: each is compared with each row that is searched, in full precision. */
export function nearest(
  folder: string,
  rows: Rows,
  asked: readonly Float32Array[],
  count: number,
): { readonly passing: number; readonly of: string[][] } {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  const read = db.query<StoredVectors, (string | number)[]>(
    `select id, vector from memories join memory_vectors using (seq)
     where deleted_at is null and status in ('active', 'confirmed', 'pending', 'conflicted') and ${rows.where}`,
  );
  const best = asked.map(() => new Best(count));
  let passing = 0;
  for (const { id, vector } of read.iterate(...rows.params)) {
    passing++;
    const own = blobVector(vector);
    for (const [i, question] of asked.entries()) best[i]?.offer(id, dot(own, question));
  }
  db.close();
  return { passing, of: best.map((nearest) => nearest.ids()) };
}

interface StoredVectors {
  readonly id: string;
  readonly vector: Uint8Array;
}

/** The cosine of unit vectors. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Keeps the few of the greatest value. */
class Best {
  readonly #kept: { readonly id: string; readonly value: number }[] = [];
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  offer(id: string, value: number): void {
    const kept = this.#kept;
    if (kept.length === this.#count && value <= (kept.at(-1)?.value ?? 0)) return;
    const at = kept.findIndex((one) => one.value < value);
    kept.splice(at < 0 ? kept.length : at, 0, { id, value });
    kept.length = Math.min(kept.length, this.#count);
  }

  ids(): string[] {
    return this.#kept.map(({ id }) => id);
  }
}
