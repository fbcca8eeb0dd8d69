import type { CosineCalibration } from "../../core/ports/embedder.ts";

/**
 * The cosine at which two texts are so much of the way from having nothing in common to being one text, by a model's own measure:
 * what .9 means differs from model to model.
 */
export const cosineOfSameness = ({ row_unrelated_mean }: CosineCalibration, share: number): number =>
  row_unrelated_mean + share * (1 - row_unrelated_mean);
