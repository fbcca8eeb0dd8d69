import { AppError } from "../../core/kernel/errors.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { Services } from "../../core/ports/context.ts";
import type { EmbedOptions } from "../../core/ports/embedder.ts";
import type { UnreadDocument, UnreadMemory } from "../../core/ports/keeping/generations.ts";
import type { Models } from "../../core/ports/keeping/reembedding.ts";
import type { RowVectors } from "../../core/ports/memory-store.ts";
import { embedRows } from "../../memories/embed.ts";

/** Rows read and stored at a time: whoever writes a row meanwhile waits for so many before it is found by meaning. */
const ROWS_PER_STEP = 32;
/** Tries of a step that the model refuses, and the pause before the first of them; it doubles. */
const TRIES = 5;
const PAUSE_MS = 250;

type Generations = Services["storage"]["generations"];

export interface Reading {
  readonly generations: Generations;
  /** What reads, and what is to read beside it where that has not read a row yet. */
  readonly models: Models;
  /** Whether what the secondary embedder has made of a row is what this one would make. */
  readonly keepsSecondary: boolean;
  readonly signal: AbortSignal;
  /** Called back after each step. */
  tell(rows: number): void;
}

/**
 * Has the other model read every memory and document that it has not read, the oldest first; what is written meanwhile comes
 * last. Throws AppError UNAVAILABLE where it cannot read one that the model of before can.
 */
export async function readAll(reading: Reading): Promise<void> {
  const refusals = [...(await readMemories(reading)), ...(await readDocuments(reading))];
  const [first] = refusals;
  if (!first) return;
  const { memories, documents } = await reading.generations.lacking();
  // What no model can read is found by its words, as before.
  if (memories + documents === 0) return;
  const left = memories + documents === 1 ? "One text" : `${memories + documents} texts`;
  throw new AppError("UNAVAILABLE", `${left} cannot be read by ${reading.models.name}: ${describeCause(first)}`);
}

async function readMemories(reading: Reading): Promise<unknown[]> {
  const { generations, tell } = reading;
  const store = async (rows: readonly UnreadMemory[]) => {
    const vectors = await vectorsOf(reading, rows);
    const filled = rows.flatMap(({ memory: { tenant_id, id, content_hash } }, i) => {
      const made = vectors[i];
      return made ? [{ tenant_id, id, content_hash, vectors: made }] : [];
    });
    await generations.fillMemories(filled);
    tell(filled.length);
  };
  return inSteps(reading, (after) => generations.unreadMemories(after, ROWS_PER_STEP), store);
}

async function readDocuments(reading: Reading): Promise<unknown[]> {
  const { generations, models, tell } = reading;
  const store = async (rows: readonly UnreadDocument[]) => {
    const vectors = await models.embedder.embed(
      rows.map(({ summary }) => summary),
      optionsOf(reading),
    );
    const filled = rows.flatMap((row, i) => {
      const vector = vectors[i];
      return vector ? [{ ...row, vector }] : [];
    });
    await generations.fillDocuments(filled);
    tell(filled.length);
  };
  return inSteps(reading, (after) => generations.unreadDocuments(after, ROWS_PER_STEP), store);
}

const optionsOf = ({ signal }: Reading): EmbedOptions => ({ role: "passage", priority: "background", signal });

/** What the pair makes of rows, in order; what its second has made already is kept. */
async function vectorsOf(reading: Reading, rows: readonly UnreadMemory[]): Promise<RowVectors[]> {
  const { models, keepsSecondary } = reading;
  const isRead = ({ secondary }: UnreadMemory) => keepsSecondary && secondary !== null;
  const embed = (some: readonly UnreadMemory[], secondaryMemoryEmbedder: Models["secondaryMemoryEmbedder"]) =>
    embedRows({ embedder: models.embedder, secondaryMemoryEmbedder }, some, optionsOf(reading));
  if (!rows.every(isRead)) return embed(rows, models.secondaryMemoryEmbedder);
  const made = await embed(rows, null);
  return made.map((one, i) => ({ ...one, secondary: rows[i]?.secondary ?? null }));
}

/** Goes through rows in steps. Returns why single ones were refused. */
async function inSteps<T extends { readonly seq: number }>(
  { signal }: Reading,
  next: (after: number) => Promise<readonly T[]>,
  store: (rows: readonly T[]) => Promise<void>,
): Promise<unknown[]> {
  const refusals: unknown[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    signal.throwIfAborted();
    const rows = await next(after);
    const last = rows.at(-1);
    if (!last) return refusals;
    after = last.seq;
    if ((await tried(() => store(rows), signal)) === null) continue;
    // One text that the model cannot read refuses its whole step; tried alone, it refuses only itself.
    for (const row of rows) {
      const refusal = await tried(() => store([row]), signal, 1);
      if (refusal) refusals.push(refusal.reason);
    }
  }
}

/** Tries again after a pause while the model is busy. Returns why it was in vain, or null. */
async function tried(
  work: () => Promise<void>,
  signal: AbortSignal,
  tries = TRIES,
): Promise<{ reason: unknown } | null> {
  for (let failed = 0; ; ) {
    try {
      await work();
      return null;
    } catch (reason) {
      signal.throwIfAborted();
      failed++;
      if (failed >= tries) return { reason };
      await Bun.sleep(PAUSE_MS * 2 ** failed);
    }
  }
}
