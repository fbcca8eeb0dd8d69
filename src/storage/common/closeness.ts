import { dot } from "../../core/kernel/vectors.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Coded } from "./index-codes.ts";

/** Scalar products of a row's vectors with those of one, and with the means of the models. */
export interface Compared {
  readonly first: number;
  readonly first_center: number;
  /** Of the second embedder; null where it has not read both. */
  readonly second: number | null;
  readonly second_center: number | null;
}

/**
 * How near rows are to one in meaning, -1 to 1: the cosine of their vectors around the model's mean, as what all of a model's
 * vectors share tells none apart; averaged over both embedders where both have read the two.
 */
export function closenessTo({ center, secondary_center }: EmbedderSpace, own: Coded): (other: Compared) => number {
  const byFirst = cosineAround(own.values, center);
  const bySecond = own.secondary && secondary_center && cosineAround(own.secondary, secondary_center);
  return ({ first, first_center, second, second_center }) => {
    const near = byFirst(first, first_center);
    if (!bySecond || second === null || second_center === null) return near;
    return (near + bySecond(second, second_center)) / 2;
  };
}

/** The cosine of unit vectors to one, measured from a centre, by their products with both. */
function cosineAround(own: Float32Array, middle: Float32Array): (both: number, other: number) => number {
  const [one, center] = [dot(own, middle), dot(middle, middle)];
  const length = (product: number) => Math.sqrt(1 - 2 * product + center);
  return (both, other) => (both - one - other + center) / (length(one) * length(other));
}
