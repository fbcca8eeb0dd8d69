import { Database } from "bun:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbedderKind } from "../../../src/ai/open.ts";
import { openModels } from "../../../src/ai/open.ts";
import { blobVector } from "../../../src/storage/units/vectors.ts";

/** A question as both embedders read it. */
export interface AskedVectors {
  readonly own: Float32Array;
  readonly second: Float32Array | null;
}

/** The vectors of questions, by the same models as the servers have. */
export async function questionVectors(embedder: EmbedderKind, questions: readonly string[]): Promise<AskedVectors[]> {
  const models = openModels(embedder, { cacheDir: tmpdir() });
  const options = { role: "query", priority: "background" } as const;
  const own = await models.embedder.embed(questions, options);
  const second = await models.secondaryMemoryEmbedder?.embed(questions, options);
  await models.embedder.close();
  return own.map((vector, i) => ({ own: vector, second: second?.[i] ?? null }));
}

/** Rows of a folder, by a condition on the table of memories. */
export interface Rows {
  readonly where: string;
  readonly params: readonly (string | number)[];
}

/** The ids of the rows truly nearest to a question, nearest first: by the first embedder alone, and by the mean of both. */
export interface Nearest {
  readonly first: readonly string[];
  readonly both: readonly string[];
}

/** Compares each question with each of the rows that are searched, in full precision. */
export function nearest(
  folder: string,
  rows: Rows,
  asked: readonly AskedVectors[],
  count: number,
): { readonly passing: number; readonly of: Nearest[] } {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  const read = db.query<StoredVectors, (string | number)[]>(
    `select id, vector, second from memories join memory_vectors using (seq)
     where deleted_at is null and status in ('active', 'confirmed', 'pending', 'conflicted') and ${rows.where}`,
  );
  const best = asked.map(() => ({ first: new Best(count), both: new Best(count) }));
  let passing = 0;
  for (const { id, vector, second } of read.iterate(...rows.params)) {
    passing++;
    const [own, other] = [blobVector(vector), second && blobVector(second)];
    for (const [i, question] of asked.entries()) {
      const cosine = dot(own, question.own);
      best[i]?.first.offer(id, cosine);
      best[i]?.both.offer(id, other && question.second ? cosine + dot(other, question.second) : cosine);
    }
  }
  db.close();
  return { passing, of: best.map(({ first, both }) => ({ first: first.ids(), both: both.ids() })) };
}

interface StoredVectors {
  readonly id: string;
  readonly vector: Uint8Array;
  readonly second: Uint8Array | null;
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
