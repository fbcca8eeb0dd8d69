import { sql } from "drizzle-orm";
import { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { AnsweringModel, Generation, GenerationState, ModelSpace } from "../../core/ports/keeping/generations.ts";
import type { EmbedderSpace, Side } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";

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
  calibration: Calibration,
});

/** One of the two models of a store, as a row tells it. */
interface StoredGeneration extends Generation {
  readonly side: Side;
  /** What was written from `spaceToStore`. */
  readonly space: unknown;
}

/** The model that answers, and the other; null where there is none. */
interface Generations {
  readonly active: StoredGeneration | null;
  readonly other: StoredGeneration | null;
}

/** The rows of a store. */
export function* generationRows(): Unit<Generations> {
  const stored = yield* rows<StoredGeneration>(sql`select * from generations`);
  const found = stored.map((row) => ({ ...row, space: jsonIn(row.space), has_answered: Boolean(row.has_answered) }));
  return {
    active: found.find(({ state }) => state === "active") ?? null,
    other: found.find(({ state }) => state !== "active") ?? null,
  };
}

/** Row to noun. */
export const toGeneration = ({ side: _side, space: _space, ...generation }: StoredGeneration): Generation => generation;

/** The side that answers: the first, where the model was never changed. */
export function* activeSide(): Unit<Side> {
  return (yield* generationRows()).active?.side ?? "a";
}

/** The space of the model beside the one that answers; null without one. */
export function* otherSpace(): Unit<EmbedderSpace | null> {
  const { other } = yield* generationRows();
  if (!other) return null;
  const { dimensions, center } = StoredSpace.parse(other.space);
  const { embedder_id: id, side } = other;
  return { id, dimensions, center, side };
}

/** The same where there must be one. */
export function* requireOther(): Unit<EmbedderSpace> {
  const other = yield* otherSpace();
  if (other) return other;
  throw new AppError("CONFLICT", "There is no other model beside the one that answers.");
}

/**
 * What is said of the model that answers; null where nothing is. Throws AppError UNAVAILABLE where it is named in a way that
 * this release does not know: another model would read all rows anew.
 */
export function* answeringModel(where: string): Unit<AnsweringModel | null> {
  const { active } = yield* generationRows();
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

/** What is kept of a model's space, as JSON. */
const spaceToStore = ({ embedder }: ModelSpace): JsonObject => ({
  dimensions: embedder.dimensions,
  center: [...embedder.center],
  calibration: { ...embedder.calibration },
});

/** Writes the model that answers over the one that the store names, where that is another. */
export const renewActive = (dialect: SqlDialect, model: ModelSpace): Unit<number> =>
  run(sql`update generations set model = ${model.model}, embedder_id = ${model.embedder.id},
    space = ${dialect.json(spaceToStore(model))} where state = 'active' and embedder_id <> ${model.embedder.id}`);

/** Writes what is known of a model's vectors, inside the caller's transaction. */
export const putGeneration = (
  dialect: SqlDialect,
  side: Side,
  model: ModelSpace,
  { state, now }: { readonly state: GenerationState; readonly now: string },
): Unit<number> =>
  run(sql`insert into generations (side, model, embedder_id, space, state, started_at)
    values (${side}, ${model.model}, ${model.embedder.id}, ${dialect.json(spaceToStore(model))}, ${state}, ${now})
    on conflict (side) do update set model = excluded.model, embedder_id = excluded.embedder_id,
      space = excluded.space, state = excluded.state, started_at = excluded.started_at, finished_at = null, error = null`);
