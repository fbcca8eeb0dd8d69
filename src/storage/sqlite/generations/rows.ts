import type { Database } from "bun:sqlite";
import { z } from "zod";
import { AppError } from "../../../core/kernel/errors.ts";
import type {
  AnsweringModel,
  Generation,
  GenerationState,
  ModelSpace,
} from "../../../core/ports/keeping/generations.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import { openReadable } from "../engine/open-readable.ts";

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

interface Row {
  readonly side: Side;
  readonly model: string;
  readonly embedder_id: string;
  readonly space: string;
  readonly state: GenerationState;
  readonly has_answered: number;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly error: string | null;
}

/** The rows of a data file: of the model that answers, and of the other. */
export function generationRows(db: Database): { readonly active: Row | null; readonly other: Row | null } {
  const rows = db.query<Row, []>("select * from generations").all();
  return {
    active: rows.find(({ state }) => state === "active") ?? null,
    other: rows.find(({ state }) => state !== "active") ?? null,
  };
}

export const toGeneration = ({ side: _side, space: _space, has_answered, ...row }: Row): Generation => ({
  ...row,
  has_answered: has_answered === 1,
});

/** The side that answers: the first, where the model was never changed. */
export const activeSide = (db: Database): Side => generationRows(db).active?.side ?? "a";

/** The space of the model beside the one that answers; null without one. */
export function otherSpace(db: Database): EmbedderSpace | null {
  const { other } = generationRows(db);
  if (!other) return null;
  const { dimensions, center, secondary_center } = StoredSpace.parse(JSON.parse(other.space));
  return {
    id: other.embedder_id,
    dimensions,
    center,
    secondary_center: secondary_center ?? undefined,
    side: other.side,
  };
}

/**
 * What a data file says of the model that answers; null where it says nothing, or cannot be read: whoever opens it says why.
 * Throws AppError UNAVAILABLE where it names one in a way that this release does not know: another model would read all rows anew.
 */
export function readAnsweringModel(file: string): AnsweringModel | null {
  let db: Database | null = null;
  try {
    db = openReadable(file);
    return answeringModel(db);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null;
  } finally {
    db?.close();
  }
}

function answeringModel(db: Database): AnsweringModel | null {
  const known = db.query("select 1 from sqlite_schema where name = 'generations'").get();
  const active = known === null ? null : generationRows(db).active;
  if (!active) return null;
  const stored = StoredSpace.safeParse(JSON.parse(active.space));
  if (!stored.success)
    throw new AppError(
      "UNAVAILABLE",
      `The data file says that the model ${active.model} answers, in a way that this release does not know. Start the release that wrote it.`,
    );
  const { calibration, center } = stored.data;
  return { model: active.model, calibration, center };
}

/** Writes what is known of a model's vectors, inside the caller's transaction. */
export function putGeneration(
  db: Database,
  side: Side,
  { model, embedder, secondary_center }: ModelSpace,
  { state, now }: { state: GenerationState; now: string },
): void {
  const { id, dimensions, calibration } = embedder;
  const space = {
    dimensions,
    center: [...embedder.center],
    secondary_center: secondary_center && [...secondary_center],
    calibration,
  };
  db.query(
    `insert or replace into generations (side, model, embedder_id, space, state, has_answered, started_at)
      values (?, ?, ?, ?, ?, coalesce((select has_answered from generations where side = ?), 0), ?)`,
  ).run(side, model, id, JSON.stringify(space), state, side, now);
}
