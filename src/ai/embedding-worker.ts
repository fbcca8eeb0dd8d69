import { loadEmbeddingModel, type ServedModel } from "./embedding-model.ts";
import { loadJudgeModel } from "./judge-model.ts";
import { checkModelFiles } from "./model-files.ts";
import { useRuntimeFolder } from "./native-runtime.ts";
import type { LoadRequest, ModelSpec, ModelTask, RunRequest, WorkerReply, WorkerRequest } from "./worker-protocol.ts";

declare const self: Worker;

const LOADERS: Record<ModelTask, (spec: ModelSpec, threads: number) => Promise<ServedModel>> = {
  embed: loadEmbeddingModel,
  judge: loadJudgeModel,
};

const models = new Map<string, ServedModel>();
/** Models that nobody asked for yet. */
const waiting = new Map<string, () => Promise<ServedModel>>();

self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  void (data.kind === "load" ? load(data) : run(data));
};

async function load(request: LoadRequest): Promise<void> {
  try {
    if (request.runtimeFolder !== null) useRuntimeFolder(request.runtimeFolder);
    for (const spec of request.later) waiting.set(spec.id, () => loadSound(spec, request.threads));
    for (const spec of request.models) {
      if (models.has(spec.id)) continue;
      const model = await LOADERS[spec.task](spec, request.threads);
      // The first run allocates and compiles; nobody should wait for that.
      await model.run([{ text: "warm up" }]);
      models.set(spec.id, model);
    }
    reply({ kind: "ready" });
  } catch (error) {
    reply({ kind: "failed", reason: reasonOf(error) });
  }
}

async function run({ model, inputs }: RunRequest): Promise<void> {
  const served = models.get(model) ?? (await loadLate(model));
  if (!served) return;
  try {
    reply({ kind: "result", rows: await served.run(inputs) });
  } catch (error) {
    reply({ kind: "error", reason: reasonOf(error) });
  }
}

/** Loads a model that was put off, once; null when that fails, of which whoever asked is told. */
async function loadLate(id: string): Promise<ServedModel | null> {
  const loadIt = waiting.get(id);
  waiting.delete(id);
  try {
    if (!loadIt) throw new Error(`The worker serves no model ${id}.`);
    const model = await loadIt();
    models.set(id, model);
    return model;
  } catch (error) {
    reply({ kind: "unserved", model: id, reason: reasonOf(error) });
    return null;
  }
}

/** Says what is wrong with the files before the runtime fails on them in words of its own. */
async function loadSound(spec: ModelSpec, threads: number): Promise<ServedModel> {
  const problems = checkModelFiles(spec.folder, { digests: false });
  if (problems.length > 0) throw new Error(problems.join(" "));
  return LOADERS[spec.task](spec, threads);
}

const reply = (message: WorkerReply): void =>
  self.postMessage(message, message.kind === "result" ? [message.rows.buffer] : []);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
