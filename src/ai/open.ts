import { availableParallelism } from "node:os";
import { AppError } from "../core/kernel/errors.ts";
import type { Embedder } from "../core/ports/embedder.ts";
import type { AnsweringModel } from "../core/ports/keeping/generations.ts";
import type { Models } from "../core/ports/keeping/reembedding.ts";
import { cachedEmbedder } from "./models/cached-embedder.ts";
import { calibrate } from "./models/calibrate.ts";
import { modelFolder } from "./models/files.ts";
import { hashEmbedder } from "./models/hash-embedder.ts";
import type { EmbeddingModel } from "./models/onnx-embedder.ts";
import { embeddingModel, onnxEmbedder } from "./models/onnx-embedder.ts";
import { judgeSpec, onnxJudge } from "./models/onnx-judge.ts";
import type { OwnModel } from "./models/own-models.ts";
import { ownModels, requireKnownPair } from "./models/own-models.ts";
import { twoJudges } from "./models/two-judges.ts";
import type { ModelWorker } from "./worker/model-worker.ts";
import { startOnnxWorker } from "./worker/onnx-worker.ts";

export type EmbedderKind = "onnx" | "hash";

export interface ModelOptions {
  /** Where the executable unpacks native libraries. */
  readonly cacheDir: string;
  /** Name of the embedding model's folder. */
  readonly model?: string | undefined;
  /** Folder with one folder per model, instead of those that come with Cairn. */
  readonly modelsRoot?: string | undefined;
  /** Folder with models of the user's own, beside them. */
  readonly ownRoot?: string | undefined;
  /** What is known of a model of the user's own whose manifest leaves it out. */
  readonly measured?: AnsweringModel | undefined;
  readonly threads?: number | undefined;
  /** Questions whose vectors are remembered. */
  readonly cacheEntries?: number | undefined;
  /** Milliseconds since any fixed moment. */
  readonly elapsed?: (() => number) | undefined;
}

/** Models, and others that may take their place. */
export interface OpenModels extends Models {
  /** Names of the models that can be chosen. */
  names(): string[];
  /** The models with another embedder, which is loaded and checked. Throws AppError BAD_REQUEST for a name that there is not, and for a model that is not sound. */
  another(name: string): Promise<Models>;
  /** Resolves once the embedder is known to be sound; only a model of the user's own may not be. Throws AppError BAD_REQUEST. */
  sound(): Promise<void>;
}

export const DEFAULT_MODEL = "multilingual-e5-notes-v1";
export const JUDGE_MODEL = "judge-v4";
/** Judges English pairs beside it; it does not tell whether the whole is over. */
export const ENGLISH_JUDGE = "judge-v3";
const ENGLISH_ANSWERS = 2;
/** Embedding models of earlier releases: the default one reads anew what they have read. */
const FORMER: readonly string[] = ["e5-small-v2", "minilm-l6-v2"];
/** The model of tests, which reads by counting. */
export const HASH_MODEL = "hash";
/** How memories are read: part of the embedder's id, so that vectors of another way are made anew. */
const READING = "turns";
/** Folders of the models that come with Cairn. */
export const MODELS: readonly string[] = [DEFAULT_MODEL, JUDGE_MODEL, ENGLISH_JUDGE];
const DEFAULT_CACHE_ENTRIES = 2_000;
const THREADS_MAX = 4;

/** Half of the processors: the other half answers requests. A second thread on two cores was measured to gain nothing. */
const defaultThreads = (): number => Math.min(THREADS_MAX, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Opens the models, in one worker. The embedder may still be loading; what is asked of it meanwhile waits. */
export function openModels(kind: EmbedderKind, options: ModelOptions): OpenModels {
  return kind === "hash" ? openHash(options) : openOnnx(options);
}

const hashModels = (): Models => ({
  name: HASH_MODEL,
  embedder: hashEmbedder(),
  judge: null,
});

function openHash(options: ModelOptions): OpenModels {
  // Faults of models of the user's own are told at once.
  ownModelsOf(options);
  return {
    ...hashModels(),
    names: () => [HASH_MODEL, ...namesOf(options)],
    another: async (name) => {
      if (name === HASH_MODEL) return hashModels();
      requireKnown(name, options);
      const onnx = openOnnx({ ...options, model: undefined });
      try {
        if (onnx.name !== name) return await onnx.another(name);
        await onnx.embedder.ready();
        return onnx;
      } catch (error) {
        await onnx.embedder.close();
        throw error;
      }
    },
    sound: async () => {},
  };
}

function openOnnx(options: ModelOptions): OpenModels {
  const wanted = options.model ?? DEFAULT_MODEL;
  const own = ownModelsOf(options).find(({ manifest }) => manifest.id === wanted);
  const name = own || !FORMER.includes(wanted) ? wanted : DEFAULT_MODEL;
  if (!own && name !== DEFAULT_MODEL) throw isGone(name);
  const embedding = own
    ? toEmbeddingModel(own, options.measured)
    : embeddingModel(modelFolder(name, options.modelsRoot));
  const judge = judgeSpec(JUDGE_MODEL, {
    folder: modelFolder(JUDGE_MODEL, options.modelsRoot),
    words_folder: modelFolder(DEFAULT_MODEL, options.modelsRoot),
  });
  const english = judgeSpec(ENGLISH_JUDGE, { folder: modelFolder(ENGLISH_JUDGE, options.modelsRoot) }, ENGLISH_ANSWERS);
  const worker = startOnnxWorker(
    { models: [embedding.spec], later: [judge, english] },
    {
      cacheDir: options.cacheDir,
      threads: options.threads ?? defaultThreads(),
      elapsed: options.elapsed ?? (() => performance.now()),
    },
  );
  const serve = (model: EmbeddingModel) =>
    cachedEmbedder(onnxEmbedder(model, worker), options.cacheEntries ?? DEFAULT_CACHE_ENTRIES);
  const beside = { judge: twoJudges(onnxJudge(judge, worker), onnxJudge(english, worker)) };
  const reading = (embedder: Embedder): Embedder => ({ ...embedder, id: `${embedder.id}+${READING}` });
  const embedder = serve(embedding);
  const first: Models = { ...beside, name, embedder: reading(embedder) };
  return {
    ...first,
    names: () => namesOf(options),
    another: async (other) => {
      if (other === HASH_MODEL) return hashModels();
      requireKnown(other, options);
      if (other === name && !own) return first;
      return {
        ...beside,
        name: other,
        embedder: reading(await openAnother(other, { options, worker, serve })),
      };
    },
    sound: async () => {
      if (!own) return;
      await embedder.ready();
      await requireKnownPair(own, embedder);
    },
  };
}

interface Beside {
  readonly options: ModelOptions;
  readonly worker: ModelWorker;
  serve(model: EmbeddingModel): Embedder;
}

/** How often another model was opened: one that failed is opened anew once its files are mended. */
let opened = 0;

/** Loads and checks a model that the worker does not serve yet, and measures what its manifest leaves out. */
async function openAnother(name: string, { options, worker, serve }: Beside): Promise<Embedder> {
  const own = ownModelsOf(options).find(({ manifest }) => manifest.id === name);
  const found = own ? toEmbeddingModel(own) : embeddingModel(modelFolder(name, options.modelsRoot));
  const model: EmbeddingModel = { ...found, spec: { ...found.spec, id: `${name}#${++opened}` } };
  worker.add(model.spec);
  const embedder = serve(model);
  await embedder.embed(["warm up"], { role: "passage", priority: "background" });
  if (!own) return embedder;
  await requireKnownPair(own, embedder);
  const { calibration, center } = own.manifest;
  return calibration && center ? embedder : { ...embedder, ...(await calibrate(embedder)), ...defined(own) };
}

/** What a manifest says itself counts before what was measured. */
const defined = ({ manifest: { calibration, center } }: OwnModel) => ({
  ...(calibration && { calibration }),
  ...(center && { center: Float32Array.from(center) }),
});

const UNMEASURED = {
  calibration: {
    unrelated_mean: 0,
    unrelated_deviation: 1,
    related_mean: 1,
    related_deviation: 1,
    row_unrelated_mean: 0,
    row_unrelated_deviation: 1,
    zero: 0,
    context_zero: 0,
    spread: 1,
  },
  center: [],
};

/** A model of the user's own as the worker serves it. */
function toEmbeddingModel({ folder, manifest }: OwnModel, measured?: AnsweringModel): EmbeddingModel {
  const { id, dimensions, max_tokens } = manifest;
  const known = measured ? { calibration: measured.calibration, center: [...measured.center] } : UNMEASURED;
  const { calibration = known.calibration, center = known.center } = manifest;
  return {
    manifest: { ...manifest, calibration, center },
    spec: { id, task: "embed", folder, max_tokens, width: dimensions },
  };
}

const ownModelsOf = ({ ownRoot }: ModelOptions): OwnModel[] =>
  ownRoot === undefined ? [] : ownModels(ownRoot, MODELS);

const namesOf = (options: ModelOptions): string[] => [
  DEFAULT_MODEL,
  ...ownModelsOf(options).map(({ manifest }) => manifest.id),
];

function requireKnown(name: string, options: ModelOptions): void {
  const names = namesOf(options);
  if (names.includes(name)) return;
  const where = options.ownRoot === undefined ? "; models of your own are read from --models DIR" : "";
  const any = FORMER.includes(name) ? ` any more: ${DEFAULT_MODEL} took its place, and reads all rows by itself` : "";
  const which = names.length === 1 ? `There is ${names[0]}` : `There are ${names.join(", ")}`;
  throw new AppError("BAD_REQUEST", `There is no model ${name}${any}. ${which}${where}.`);
}

const isGone = (name: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `The data folder is read by the model ${name}, which is not here. Name the folder that holds it with --models.`,
  );

/** Opens the embedder of a kind, for whoever needs no other model. */
export const openEmbedder = (kind: EmbedderKind, options: ModelOptions): Embedder => openModels(kind, options).embedder;
