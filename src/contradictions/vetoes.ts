import type { Part } from "../text/claims/reading.ts";
import { isOtherScope } from "./agree.ts";
import type { Alignment } from "./align.ts";

const UNSURE: ReadonlySet<Part["modality"]> = new Set(["asked", "supposed", "reported"]);

/** Whether two parts cannot clash at all: one asks, supposes or quotes, or they speak of two sides of a thing. */
export const isVetoed = (pair: Alignment): boolean =>
  UNSURE.has(pair.older.modality) || UNSURE.has(pair.newer.modality) || isOtherScope(pair);
