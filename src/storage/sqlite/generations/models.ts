import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../../core/kernel/event-loop.ts";
import { dot } from "../../../core/kernel/vectors.ts";
import type { AnsweringModel } from "../../../core/ports/keeping/generations.ts";
import { comparedOf } from "../../common/index-codes.ts";
import { answeringModel } from "../../generations/rows.ts";
import { sampledMemory } from "../../generations/sample.ts";
import type { EngineModels } from "../../generations/store.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { openReadable } from "../engine/open-readable.ts";
import { ownVectors } from "../search/nearby.ts";
import { drive } from "../units/drive.ts";
import { looking, wideWorkOf } from "../units/run.ts";
import { filedVectors, nearestCodes } from "../vectors/vectors.ts";

/** Rows that a search for one row's own vector looks at: twins of the row may stand before it. */
const POOL = 32;
/** Least cosine of two vectors that differ by rounding at most. */
const TWIN_MIN = 0.999;

/** How a data file has room for two models. */
export const sqliteModels = (
  db: Engine,
  { open, overtake, jobAdded }: Pick<EngineModels, "open" | "overtake"> & { jobAdded(): void },
): EngineModels => ({
  // The data folder is this process's alone.
  requireAlone: async () => {},
  prepare: async () => {},
  open,
  overtake,
  alone: (body, then) =>
    guarded(() => {
      const done = db.transaction(() => drive(db.writeConnection, body(wideWorkOf(db))));
      then(done);
      jobAdded();
      return done;
    }),
  find: async (space, chosen) => {
    // Each of them looks through all codes; requests have their turn between two.
    await yieldToEventLoop();
    return guarded(() => {
      const row = looking(db, (work) => sampledMemory(work, chosen));
      const vectors = row && filedVectors(db, space, chosen.seq);
      const compared = vectors && comparedOf(vectors);
      if (!compared) return null;
      const filter = { tenant_id: chosen.tenant_id };
      const near = nearestCodes(db, space, { filter, pool: POOL }, compared);
      return { row, vectors, is_found: near.includes(chosen.seq) || areTwins(db, space, near, vectors.own) };
    });
  },
});

/** Whether so many rows that stand before one have its very vector that it has no place among the nearest. */
function areTwins(db: Connections, space: EmbedderSpace, near: readonly number[], own: Float32Array): boolean {
  const twins = [...ownVectors(db, space, near).values()].filter((vector) => dot(vector, own) > TWIN_MIN);
  return twins.length === POOL;
}

/**
 * What a data file says of the model that answers; null where it says nothing, or cannot be read: whoever opens it says why.
 * Throws AppError UNAVAILABLE where it names one in a way that this release does not know.
 */
export function readAnsweringModel(file: string): AnsweringModel | null {
  let db: Database | null = null;
  try {
    db = openReadable(file);
    const known = db.query("select 1 from sqlite_schema where name = 'generations'").get();
    return known === null ? null : drive(db, answeringModel("The data file"));
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null;
  } finally {
    db?.close();
  }
}
