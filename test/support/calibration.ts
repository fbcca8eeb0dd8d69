import type { CosineCalibration } from "../../src/core/ports/embedder.ts";

/** Round figures of no real reader: unrelated texts lie about .1, related ones about .6. */
export const CALIBRATION: CosineCalibration = {
  unrelated_mean: 0.1,
  unrelated_deviation: 0.1,
  related_mean: 0.6,
  related_deviation: 0.1,
  row_unrelated_mean: 0.1,
  row_unrelated_deviation: 0.1,
  zero: 0.1,
  context_zero: 0.1,
  spread: 0.1,
};
