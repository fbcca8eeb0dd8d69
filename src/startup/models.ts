import { checkedEmbedder } from "../ai/models/checked-embedder.ts";
import type { OpenModels } from "../ai/open.ts";
import { HASH_MODEL, openModels } from "../ai/open.ts";
import type { Config } from "../config/load.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import type { Judge } from "../core/ports/judge.ts";
import type { AnsweringModel } from "../core/ports/keeping/generations.ts";
import type { Models } from "../core/ports/keeping/reembedding.ts";
import { requireUnused } from "../storage/open.ts";

/** The models that a test brings in place of the real ones. */
export interface BroughtModels {
  readonly embedder?: Embedder;
  /** Beside an embedder of the test's own there is no judge but this one. */
  readonly judge?: Judge;
  /** Likewise embedders that may take the place of its own, each named after its id. */
  readonly otherEmbedders?: readonly Embedder[];
}

/**
 * The models of the configuration, or those that a test brings, with the embedder that the data file names, if it names one;
 * what their embedders return is checked. Throws AppError where that model is not here.
 */
export function chosenModels(config: Config, brought: BroughtModels, answering: AnsweringModel | null): OpenModels {
  const models = brought.embedder
    ? broughtModels(brought.embedder, brought, answering)
    : whereUnused(config, answering);
  return {
    ...models,
    ...checked(models),
    another: async (name) => checked(await models.another(name)),
  };
}

/** That a model is not here is nobody's fault where a server answers with it: that one is to be asked. */
function whereUnused(config: Config, answering: AnsweringModel | null): OpenModels {
  try {
    return ownChoice(config, answering);
  } catch (error) {
    if (!config.ephemeral && config.database_url === undefined) requireUnused(config.data);
    throw error;
  }
}

function ownChoice({ embedder, cache, models }: Config, answering: AnsweringModel | null): OpenModels {
  const options = { cacheDir: cache, ownRoot: models };
  // What the data file names counts before what a file of before was begun with.
  const isHash = answering ? answering.model === HASH_MODEL : embedder === "hash";
  if (isHash) return openModels("hash", options);
  return openModels("onnx", { ...options, model: answering?.model, measured: answering ?? undefined });
}

function broughtModels(first: Embedder, brought: BroughtModels, answering: AnsweringModel | null): OpenModels {
  const { judge = null } = brought;
  const embedders = [first, ...(brought.otherEmbedders ?? [])];
  const withEmbedder = (embedder: Embedder): Models => ({
    name: embedder.id,
    embedder,
    judge,
  });
  const named = (name: string) => embedders.find(({ id }) => id === name);
  return {
    ...withEmbedder((answering && named(answering.model)) ?? first),
    names: () => embedders.map(({ id }) => id),
    another: async (name) => withEmbedder(named(name) ?? first),
    sound: async () => {},
  };
}

function checked(models: Models): Models {
  return { ...models, embedder: checkedEmbedder(models.embedder) };
}

/** Closes the embedders of some models. */
export async function closeModels(opened: Iterable<Models>): Promise<void> {
  for (const { embedder } of opened) await embedder.close();
}
