import { loadEmbeddingModel, type ServedModel } from "./embedding-model.ts";
import { loadJudgeModel } from "./judge-model.ts";
import { useRuntimeFolder } from "./native-runtime.ts";
import type { LoadRequest, ModelSpec, ModelTask, RunRequest, WorkerReply, WorkerRequest } from "./worker-protocol.ts";

declare const self: Worker;

const LOADERS: Record<ModelTask, (spec: ModelSpec, threads: number) => Promise<ServedModel>> = {
  embed: loadEmbeddingModel,
  judge: loadJudgeModel,
};

const models = new Map<string, ServedModel>();
/** Models that nobody asked for yet, or that could not be loaded so far. */
const waiting = new Map<string, () => Promise<ServedModel>>();

self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  void (data.kind === "load" ? load(data) : run(data));
};

async function load(request: LoadRequest): Promise<void> {
  try {
    if (request.runtimeFolder !== null) useRuntimeFolder(request.runtimeFolder);
    for (const spec of request.later) waiting.set(spec.id, () => LOADERS[spec.task](spec, request.threads));
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
  try {
    const served = models.get(model) ?? (await waiting.get(model)?.());
    if (!served) throw new Error(`The worker serves no model ${model}.`);
    models.set(model, served);
    reply({ kind: "result", rows: await served.run(inputs) });
  } catch (error) {
    reply({ kind: "error", reason: reasonOf(error) });
  }
}

const reply = (message: WorkerReply): void =>
  self.postMessage(message, message.kind === "result" ? [message.rows.buffer] : []);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
