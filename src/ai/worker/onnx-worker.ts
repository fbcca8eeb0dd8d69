import { AppError } from "../../core/kernel/errors.ts";
import { extractFiles } from "../../core/kernel/files/embedded-files.ts";
import { runtimeFiles } from "../assets.ts";
import { checkModelFiles } from "../models/files.ts";
import type { ModelWorker } from "./model-worker.ts";
import { createModelWorker } from "./model-worker.ts";
import type { LoadRequest, ModelSpec } from "./protocol.ts";

export interface OnnxOptions {
  /** Where the executable unpacks native libraries. */
  readonly cacheDir: string;
  /** Of each of two workers. */
  readonly threads: number;
  /** Milliseconds since any fixed moment. */
  readonly elapsed: () => number;
}

/** The models of one worker: those it loads at once, and those it loads when they are first asked something. */
export interface WorkerModels {
  readonly models: readonly ModelSpec[];
  readonly later: readonly ModelSpec[];
}

/** Starts the worker that runs all models; it begins to load soon, or when it is asked something. */
export const startOnnxWorker = (served: WorkerModels, options: OnnxOptions): ModelWorker =>
  createModelWorker({
    prepare: (lane) => ({ ...prepare(served, options), ...(lane === "back" && helping(served)) }),
    advice: advice(options.cacheDir),
    elapsed: options.elapsed,
  });

/** A helper loads each model when there is something to do for it. */
const helping = ({ models, later }: WorkerModels): Partial<LoadRequest> => ({
  models: [],
  later: [...models, ...later],
  isSpare: true,
});

function prepare({ models, later }: WorkerModels, { cacheDir, threads }: OnnxOptions): LoadRequest {
  const problems = models.flatMap(({ folder }) => checkModelFiles(folder, { digests: false }));
  if (problems.length > 0) throw new AppError("UNAVAILABLE", problems.join(" "));
  const runtimeFolder = runtimeFiles.length === 0 ? null : extractFiles("onnxruntime", runtimeFiles, cacheDir);
  return { kind: "load", models, later, runtimeFolder, threads, isSpare: false };
}

/** What can be wrong depends on where the files come from: a source tree, or the executable itself. */
const advice = (cacheDir: string): string =>
  runtimeFiles.length === 0
    ? "Compare the model files with their manifest: bun run models:verify."
    : `Check that ${cacheDir} is writable and that files in it may be executed.`;
