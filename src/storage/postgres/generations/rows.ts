import { sql } from "drizzle-orm";
import type { AnsweringModel, GenerationState, ModelSpace } from "../../../core/ports/keeping/generations.ts";
import type { Generations, StoredGeneration } from "../../common/generations.ts";
import { answeringModelIn, generationsOf, spaceOfGeneration, spaceToStore } from "../../common/generations.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import { jsonValue } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

type Reading = Pick<Work, "rows">;

/** The rows of a database: of the model that answers, and of the other. */
export const generationRows = async (work: Reading): Promise<Generations> =>
  generationsOf(await work.rows<StoredGeneration>(sql`select * from generations`));

/** The side that answers: the first, where the model was never changed. */
export const activeSide = async (work: Reading): Promise<Side> => (await generationRows(work)).active?.side ?? "a";

/** The space of the model beside the one that answers; null without one. */
export async function otherSpace(work: Reading): Promise<EmbedderSpace | null> {
  const { other } = await generationRows(work);
  return other && spaceOfGeneration(other);
}

/**
 * What a database says of the model that answers; null where it says nothing. Throws AppError UNAVAILABLE where it names one
 * in a way that this release does not know.
 */
export const answeringModelOfDatabase = async (work: Reading): Promise<AnsweringModel | null> =>
  answeringModelIn((await generationRows(work)).active, "The database");

/** Writes what is known of a model's vectors, inside the caller's transaction. */
export const putGeneration = (
  work: Work,
  side: Side,
  model: ModelSpace,
  { state, now }: { readonly state: GenerationState; readonly now: string },
): Promise<number> =>
  work.run(sql`insert into generations (side, model, embedder_id, space, state, started_at)
    values (${side}, ${model.model}, ${model.embedder.id}, ${jsonValue(spaceToStore(model))}, ${state}, ${now})
    on conflict (side) do update set model = excluded.model, embedder_id = excluded.embedder_id,
      space = excluded.space, state = excluded.state, started_at = excluded.started_at, finished_at = null, error = null`);
