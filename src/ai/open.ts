import { availableParallelism } from "node:os";
import type { Embedder } from "../ports/embedder.ts";
import type { Llm } from "../ports/llm.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { hashEmbedder } from "./hash-embedder.ts";
import { modelFolder } from "./model-files.ts";
import { onnxEmbedder } from "./onnx-embedder.ts";
import { openAiLlm } from "./openai-llm.ts";

export type EmbedderKind = "onnx" | "hash";

export interface EmbedderOptions {
  /** Where the executable unpacks native libraries. */
  readonly cacheDir: string;
  /** Name of the model's folder. */
  readonly model?: string | undefined;
  /** Folder with one folder per model, instead of those that come with Cairn. */
  readonly modelsRoot?: string | undefined;
  readonly threads?: number | undefined;
  /** Questions whose vectors are remembered. */
  readonly cacheEntries?: number | undefined;
  /** Milliseconds since any fixed moment. */
  readonly elapsed?: (() => number) | undefined;
}

const DEFAULT_MODEL = "e5-small-v2";
const DEFAULT_CACHE_ENTRIES = 2_000;
const THREADS_MAX = 4;

/** Half of the processors: the other half answers requests. A second thread on two cores was measured to gain nothing. */
const defaultThreads = (): number => Math.min(THREADS_MAX, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Opens the embedder of a kind. It may still be loading; what is asked of it meanwhile waits. */
export function openEmbedder(kind: EmbedderKind, options: EmbedderOptions): Embedder {
  if (kind === "hash") return hashEmbedder();
  const embedder = onnxEmbedder({
    folder: modelFolder(options.model ?? DEFAULT_MODEL, options.modelsRoot),
    cacheDir: options.cacheDir,
    threads: options.threads ?? defaultThreads(),
    elapsed: options.elapsed ?? (() => performance.now()),
  });
  return cachedEmbedder(embedder, options.cacheEntries ?? DEFAULT_CACHE_ENTRIES);
}

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
