import { z } from "zod";

const FileCheck = z.object({ bytes: z.int().positive(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** What every model folder declares: who it is and the bytes it consists of. */
export const ModelManifest = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  title: z.string().default(""),
  license: z.string().default(""),
  files: z.record(z.string(), FileCheck).default({}),
});
export type ModelManifest = z.infer<typeof ModelManifest>;

/** Cosine means and deviations, measured once per model. */
const Calibration = z.object({
  unrelated_mean: z.number(),
  unrelated_deviation: z.number().positive(),
  related_mean: z.number(),
  related_deviation: z.number().positive(),
  row_unrelated_mean: z.number(),
  row_unrelated_deviation: z.number().positive(),
  zero: z.number(),
  context_zero: z.number(),
  spread: z.number().positive(),
});

/** A model that turns one text into one vector. */
export const EmbeddingManifest = ModelManifest.extend({
  dimensions: z.int().positive(),
  max_tokens: z.int().positive(),
  pooling: z.literal("mean"),
  normalize: z.literal(true),
  distance: z.literal("cosine"),
  query_prefix: z.string(),
  passage_prefix: z.string(),
  calibration: Calibration,
  /** Mean of many passages' vectors. */
  center: z.array(z.number()),
});
export type EmbeddingManifest = z.infer<typeof EmbeddingManifest>;

/** What a model folder of the user's own declares: what is left out is measured. */
export const OwnManifest = EmbeddingManifest.extend({
  max_tokens: z.int().min(16).max(8_192).default(256),
  normalize: z.literal(true).default(true),
  distance: z.literal("cosine").default("cosine"),
  query_prefix: z.string().default(""),
  passage_prefix: z.string().default(""),
  calibration: Calibration.optional(),
  center: z.array(z.number()).optional(),
  /** A question and a passage, and the cosine of their vectors: what proves that the folder is read as its maker meant. */
  known_pair: z.object({
    texts: z.tuple([z.string().min(1), z.string().min(1)]),
    cosine: z.number().min(-1).max(1),
    tolerance: z.number().positive().max(0.2).default(0.03),
  }),
});
export type OwnManifest = z.infer<typeof OwnManifest>;
