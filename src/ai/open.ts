import { availableParallelism } from "node:os";
import type { Embedder } from "../core/ports/embedder.ts";
import type { Judge } from "../core/ports/judge.ts";
import type { Llm } from "../core/ports/llm.ts";
import { openAiLlm } from "./llm/openai.ts";
import { cachedEmbedder } from "./models/cached-embedder.ts";
import { modelFolder } from "./models/files.ts";
import { hashEmbedder } from "./models/hash-embedder.ts";
import type { EmbeddingModel } from "./models/onnx-embedder.ts";
import { embeddingModel, onnxEmbedder } from "./models/onnx-embedder.ts";
import { judgeSpec, onnxJudge } from "./models/onnx-judge.ts";
import { startOnnxWorker } from "./worker/onnx-worker.ts";

export type EmbedderKind = "onnx" | "hash";

export interface ModelOptions {
  /** Where the executable unpacks native libraries. */
  readonly cacheDir: string;
  /** Name of the embedding model's folder. */
  readonly model?: string | undefined;
  /** Folder with one folder per model, instead of those that come with Cairn. */
  readonly modelsRoot?: string | undefined;
  readonly threads?: number | undefined;
  /** Questions whose vectors are remembered. */
  readonly cacheEntries?: number | undefined;
  /** Milliseconds since any fixed moment. */
  readonly elapsed?: (() => number) | undefined;
}

export interface Models {
  /** Its id names both embedders: whatever vectors a row has, they are of one pair. */
  readonly embedder: Embedder;
  /** Null where there is none: the detector then finds only other values in the same words. */
  readonly judge: Judge | null;
  /** Reads documents a second time, in a way of its own; null where there is none. */
  readonly secondaryDocumentEmbedder: Embedder | null;
  /** Reads memories a second time: taught to find notes; null where there is none. */
  readonly secondaryMemoryEmbedder: Embedder | null;
}

const DEFAULT_MODEL = "e5-small-v2";
const PARAPHRASE_MODEL = "minilm-l6-v2";
const SECOND_MODEL = "minilm-notes-v1";
export const JUDGE_MODEL = "judge-v3";
/** How memories are read: part of the embedder's id, so that vectors of another way are made anew. */
const READING = "turns";
/** Folders of the models that come with Cairn. */
export const MODELS: readonly string[] = [DEFAULT_MODEL, PARAPHRASE_MODEL, SECOND_MODEL, JUDGE_MODEL];
const DEFAULT_CACHE_ENTRIES = 2_000;
const THREADS_MAX = 4;

/** Half of the processors: the other half answers requests. A second thread on two cores was measured to gain nothing. */
const defaultThreads = (): number => Math.min(THREADS_MAX, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Opens the models, in one worker. The embedder may still be loading; what is asked of it meanwhile waits. */
export function openModels(kind: EmbedderKind, options: ModelOptions): Models {
  if (kind === "hash")
    return { embedder: hashEmbedder(), judge: null, secondaryDocumentEmbedder: null, secondaryMemoryEmbedder: null };
  const embedding = embeddingModel(modelFolder(options.model ?? DEFAULT_MODEL, options.modelsRoot));
  const judge = judgeSpec(JUDGE_MODEL, modelFolder(JUDGE_MODEL, options.modelsRoot));
  const paraphrase = furtherModel(PARAPHRASE_MODEL, options.modelsRoot);
  const second = furtherModel(SECOND_MODEL, options.modelsRoot);
  const further = [paraphrase, second].flatMap((model) => model?.spec ?? []);
  const worker = startOnnxWorker(
    { models: [embedding.spec], later: [judge, ...further] },
    {
      cacheDir: options.cacheDir,
      threads: options.threads ?? defaultThreads(),
      elapsed: options.elapsed ?? (() => performance.now()),
    },
  );
  const serve = (model: EmbeddingModel) =>
    cachedEmbedder(onnxEmbedder(model, worker), options.cacheEntries ?? DEFAULT_CACHE_ENTRIES);
  const embedder = serve(embedding);
  return {
    embedder: { ...embedder, id: [embedder.id, ...(second ? [second.spec.id] : []), READING].join("+") },
    judge: onnxJudge(judge, worker),
    secondaryDocumentEmbedder: paraphrase && serve(paraphrase),
    secondaryMemoryEmbedder: second && serve(second),
  };
}

/** A model that search can do without: null when its folder is not there or not a model's. */
function furtherModel(name: string, modelsRoot: string | undefined): EmbeddingModel | null {
  try {
    return embeddingModel(modelFolder(name, modelsRoot));
  } catch {
    return null;
  }
}

/** Opens the embedder of a kind, for whoever needs no other model. */
export const openEmbedder = (kind: EmbedderKind, options: ModelOptions): Embedder => openModels(kind, options).embedder;

export interface LlmOptions {
  readonly llm_base_url?: string | undefined;
  readonly llm_model?: string | undefined;
  readonly llm_api_key?: string | undefined;
}

/** The language model that was configured; null without one. Nothing is sent before the first question. */
export function openLlm({ llm_base_url, llm_model, llm_api_key }: LlmOptions): Llm | null {
  if (llm_base_url === undefined || llm_model === undefined) return null;
  return openAiLlm({ base_url: llm_base_url, model: llm_model, api_key: llm_api_key });
}
