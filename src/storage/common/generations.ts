import { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { AnsweringModel, Generation, ModelSpace } from "../../core/ports/keeping/generations.ts";
import type { EmbedderSpace, Side } from "../options.ts";

/** Numbers of a stored space; they were written from floats of 32 bits and come back as they were. */
const Numbers = z.array(z.number()).transform((values) => Float32Array.from(values));
const Calibration = z.object({
  unrelated_mean: z.number(),
  unrelated_deviation: z.number(),
  related_mean: z.number(),
  related_deviation: z.number(),
  row_unrelated_mean: z.number(),
  row_unrelated_deviation: z.number(),
  zero: z.number(),
  context_zero: z.number(),
  spread: z.number(),
});
const StoredSpace = z.object({
  dimensions: z.int(),
  center: Numbers,
  secondary_center: Numbers.nullable(),
  calibration: Calibration,
});

/** One of the two models of a store, as a row tells it. */
export interface StoredGeneration extends Generation {
  readonly side: Side;
  /** What was written from `spaceToStore`. */
  readonly space: unknown;
}

/** The model that answers, and the other; null where there is none. */
export interface Generations {
  readonly active: StoredGeneration | null;
  readonly other: StoredGeneration | null;
}

/** Tells which of the rows is which. */
export const generationsOf = (rows: readonly StoredGeneration[]): Generations => ({
  active: rows.find(({ state }) => state === "active") ?? null,
  other: rows.find(({ state }) => state !== "active") ?? null,
});

/** Row to noun. */
export const toGeneration = ({ side: _side, space: _space, ...generation }: StoredGeneration): Generation => generation;

/** What is kept of a model's space, as JSON. */
export const spaceToStore = ({ embedder, secondary_center }: ModelSpace): JsonObject => ({
  dimensions: embedder.dimensions,
  center: [...embedder.center],
  secondary_center: secondary_center && [...secondary_center],
  calibration: { ...embedder.calibration },
});

/** The space of a model. */
export function spaceOfGeneration({ embedder_id, side, space }: StoredGeneration): EmbedderSpace {
  const { dimensions, center, secondary_center } = StoredSpace.parse(space);
  return { id: embedder_id, dimensions, center, secondary_center: secondary_center ?? undefined, side };
}

/**
 * What is said of the model that answers; null for null. Throws AppError UNAVAILABLE where it is named in a way that this
 * release does not know: another model would read all rows anew.
 */
export function answeringModelIn(active: StoredGeneration | null, where: string): AnsweringModel | null {
  if (!active) return null;
  const stored = StoredSpace.safeParse(active.space);
  if (!stored.success)
    throw new AppError(
      "UNAVAILABLE",
      `${where} says that the model ${active.model} answers, in a way that this release does not know. Start the release that wrote it.`,
    );
  const { calibration, center } = stored.data;
  return { model: active.model, calibration, center };
}
