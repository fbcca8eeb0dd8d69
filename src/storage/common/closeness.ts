/** The scalar products of two unit vectors, of each with a centre, and of that with itself. */
export interface Products {
  readonly both: number;
  readonly one: number;
  readonly other: number;
  readonly center: number;
}

/** The cosine of two unit vectors, measured from a centre: what all of a model's vectors share tells none apart. */
export const cosineAround = ({ both, one, other, center }: Products): number =>
  (both - one - other + center) / (Math.sqrt(1 - 2 * one + center) * Math.sqrt(1 - 2 * other + center));
