import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import type {
  AnsweringModel,
  Generation,
  GenerationState,
  ModelSpace,
} from "../../../core/ports/keeping/generations.ts";
import type { Generations } from "../../common/generations.ts";
import { answeringModelIn, generationsOf, spaceOfGeneration, spaceToStore } from "../../common/generations.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import { openReadable } from "../engine/open-readable.ts";

interface Row extends Omit<Generation, "has_answered"> {
  readonly side: Side;
  readonly space: string;
  readonly has_answered: number;
}

/** The rows of a data file: of the model that answers, and of the other. */
export function generationRows(db: Database): Generations {
  const rows = db.query<Row, []>("select * from generations").all();
  return generationsOf(
    rows.map((row) => ({ ...row, space: JSON.parse(row.space), has_answered: row.has_answered === 1 })),
  );
}

/** The side that answers: the first, where the model was never changed. */
export const activeSide = (db: Database): Side => generationRows(db).active?.side ?? "a";

/** The space of the model beside the one that answers; null without one. */
export function otherSpace(db: Database): EmbedderSpace | null {
  const { other } = generationRows(db);
  return other && spaceOfGeneration(other);
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
    return known === null ? null : answeringModelIn(generationRows(db).active, "The data file");
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null;
  } finally {
    db?.close();
  }
}

/** Writes what is known of a model's vectors, inside the caller's transaction. */
export function putGeneration(
  db: Database,
  side: Side,
  model: ModelSpace,
  { state, now }: { state: GenerationState; now: string },
): void {
  db.query(
    `insert or replace into generations (side, model, embedder_id, space, state, has_answered, started_at)
      values (?, ?, ?, ?, ?, coalesce((select has_answered from generations where side = ?), 0), ?)`,
  ).run(side, model.model, model.embedder.id, JSON.stringify(spaceToStore(model)), state, side, now);
}
