import { AppError } from "../../core/kernel/errors.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { Services } from "../../core/ports/context.ts";
import type { EmbedOptions } from "../../core/ports/embedder.ts";
import type { UnreadDocument, UnreadMemory } from "../../core/ports/keeping/generations.ts";
import type { Models } from "../../core/ports/keeping/reembedding.ts";
import { embedRows } from "../../memories/embed.ts";

/** Rows read and stored at a time: whoever writes a row meanwhile waits for so many before it is found by meaning. */
const ROWS_PER_STEP = 32;
/** Tries of a step that the model refuses, and the pause before the first of them; it doubles. */
const TRIES = 5;
const PAUSE_MS = 250;

type Generations = Services["storage"]["generations"];

export interface Reading {
  readonly generations: Generations;
  /** What reads. */
  readonly models: Models;
  readonly signal: AbortSignal;
  /** Called back after each step. */
  tell(rows: number): void;
}

/**
 * Has the other model read every memory and document that it has not read, the oldest first; what is written meanwhile comes
 * last. Throws AppError UNAVAILABLE where it refuses one that the model of before has read.
 */
export async function readAll(reading: Reading): Promise<void> {
  const refusals = [...(await readMemories(reading)), ...(await readDocuments(reading))];
  const [first] = refusals;
  if (!first) return;
  const { memories, documents } = await reading.generations.lacking();
  // What both models refuse is found by its words, as before.
  if (memories + documents === 0) return;
  const left = memories + documents === 1 ? "one text" : `${memories + documents} texts`;
  throw new AppError("UNAVAILABLE", `${reading.models.name} refuses ${left}: ${describeCause(first)}`);
}

async function readMemories(reading: Reading): Promise<unknown[]> {
  const { generations, tell } = reading;
  const store = async (rows: readonly UnreadMemory[]) => {
    const vectors = await embedRows(reading.models, rows, optionsOf(reading));
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
    // Where one text is refused its whole step is; tried alone, it alone.
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
