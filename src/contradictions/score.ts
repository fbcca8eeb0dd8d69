import type { Features } from "./features.ts";
import { WEIGHTS } from "./weights.ts";

/** How likely a finding with these features is a clash, 0 to 1. */
export function confidenceOf(features: Features): number {
  let logit = 0;
  for (const [name, value] of Object.entries(features)) logit += value * (WEIGHTS[name as keyof typeof WEIGHTS] ?? 0);
  return 1 / (1 + Math.exp(-logit));
}
