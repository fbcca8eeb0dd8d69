import { z } from "zod";

const MODEL_MAX = 100;

export const ReembedRequest = z.object({
  action: z
    .enum(["begin", "pause", "resume", "rollback", "cancel", "drop_old"])
    .default("begin")
    .describe(
      "begin reads everything with `model`; rollback goes back to the model of before, which is kept until drop_old; cancel gives up what is being prepared.",
    ),
  model: z.string().min(1).max(MODEL_MAX).optional().describe("Name of a model, one of `models`; for begin alone."),
});
export type ReembedRequest = z.input<typeof ReembedRequest>;

export const OtherModel = z
  .object({
    model: z.string(),
    embedder_id: z.string(),
    state: z
      .enum(["building", "paused", "failed", "previous", "dropping"])
      .describe(
        "building: it reads what is stored; paused, failed: that has stopped; previous: it answered before and is kept; dropping: its vectors are being taken out.",
      ),
    step: z.enum(["loading", "reading", "checking", "switching"]).nullable().describe("What is done just now."),
    done: z.int().describe("Memories and documents that it has read."),
    total: z.int().describe("Those that there are."),
    per_second: z.number().nullable().describe("Rows a second since it went on; null until that is known."),
    seconds_left: z.int().nullable(),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    error: z.string().nullable().describe("Why it failed."),
  })
  .meta({ id: "OtherModel", description: "A model beside the one that answers." });
export type OtherModel = z.infer<typeof OtherModel>;

export const ReembedState = z
  .object({
    model: z.string().describe("Name of the model that answers."),
    embedder_id: z.string(),
    models: z.array(z.string()).describe("Names of the models that can be chosen."),
    other: OtherModel.nullable().describe("Null where there is none."),
  })
  .meta({ id: "ReembedState" });
export type ReembedState = z.infer<typeof ReembedState>;
