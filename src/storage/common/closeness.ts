import { dot } from "../../core/kernel/vectors.ts";
import type { EmbedderSpace } from "../options.ts";

/** Scalar products of a row's vector. */
export interface Products {
  /** With that of the row that others are held against. */
  readonly own: number;
  /** With the mean of the model. */
  readonly center: number;
}

/**
 * How near rows are to one in meaning, -1 to 1: the cosine of their vectors around the model's mean, as what all of a model's
 * vectors share tells none apart.
 */
export function closenessTo(space: Pick<EmbedderSpace, "center">, own: Float32Array): (row: Products) => number {
  const [ownCenter, centerSquare] = [dot(own, space.center), dot(space.center, space.center)];
  const distance = (center: number) => Math.sqrt(1 - 2 * center + centerSquare);
  return (row) => (row.own - ownCenter - row.center + centerSquare) / (distance(ownCenter) * distance(row.center));
}
