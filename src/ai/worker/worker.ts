import { releaseHeap } from "../../core/kernel/heap.ts";
import { loadEmbeddingModel, type ServedModel } from "../models/embedding-model.ts";
import { checkModelFiles } from "../models/files.ts";
import { loadJudgeModel } from "../models/judge-model.ts";
import { giveWay } from "./give-way.ts";
import { useRuntimeFolder } from "./native-runtime.ts";
import { type OnDemandModel, onDemandModel } from "./on-demand-model.ts";
import type { LoadRequest, ModelSpec, ModelTask, RunRequest, WorkerReply, WorkerRequest } from "./protocol.ts";

declare const self: Worker;

const LOADERS: Record<ModelTask, (spec: ModelSpec, threads: number) => Promise<ServedModel>> = {
  embed: loadEmbeddingModel,
  judge: loadJudgeModel,
};
/** How long a late model stays after it was last asked: loading it again holds up for some 200 ms whoever asks next. */
const KEEP_MS = 5 * 60_000;
/** Of the spare worker: its models lie in the memory of the other one, too. */
const SPARE_KEEP_MS = 60_000;
/** So long after its last run the worker gives back what it no longer uses. */
const REST_AFTER_MS = 10_000;

const models = new Map<string, ServedModel>();
const lateModels = new Map<string, OnDemandModel>();
/** Has a model loaded when it is first asked. */
let loadLater: (spec: ModelSpec) => void = () => {};
let resting: ReturnType<typeof setTimeout> | undefined;

self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  void (data.kind === "load" ? load(data) : run(data)).finally(restLater);
};

async function load(request: LoadRequest): Promise<void> {
  try {
    if (request.isSpare) giveWay();
    const keepMs = request.isSpare ? SPARE_KEEP_MS : KEEP_MS;
    if (request.runtimeFolder !== null) useRuntimeFolder(request.runtimeFolder);
    loadLater = (spec) => {
      if (lateModels.get(spec.id)?.isLoaded) return;
      const load = () => loadSound(spec, request.threads);
      lateModels.set(spec.id, onDemandModel(load, { keepMs, gone: releaseHeap }));
    };
    for (const spec of request.later) loadLater(spec);
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

async function run({ model, inputs, spec }: RunRequest): Promise<void> {
  if (spec && !lateModels.has(model)) loadLater(spec);
  const late = lateModels.get(model);
  const loaded = late?.isLoaded === false;
  const served = models.get(model) ?? (await loadLate(model, late));
  if (!served) return;
  try {
    reply({ kind: "result", rows: await served.run(inputs), loaded });
  } catch (error) {
    reply({ kind: "error", reason: reasonOf(error) });
  }
}

/** Null when it cannot be loaded, of which whoever asked is told. */
async function loadLate(id: string, late: OnDemandModel | undefined): Promise<ServedModel | null> {
  try {
    if (!late) throw new Error(`The worker serves no model ${id}.`);
    return await late.get();
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

function restLater(): void {
  clearTimeout(resting);
  resting = setTimeout(releaseHeap, REST_AFTER_MS);
  resting.unref();
}

const reply = (message: WorkerReply): void =>
  self.postMessage(message, message.kind === "result" ? [message.rows.buffer] : []);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
