import { vectorOver } from "./blob.ts";

/** The cosine of a vector with others, or with the blobs that `vectorBlob` wrote of them, -1 to 1; null where there is none, or one of zeros. */
export type CosineTo = (other: Float32Array | Uint8Array | null) => number | null;

/** Compares vectors with one. */
export function cosineTo(values: Float32Array): CosineTo {
  const length = Math.hypot(...values);
  return (other) => {
    if (other === null) return null;
    const { product, squares } = compared(values, other instanceof Float32Array ? other : vectorOver(other));
    // As exact as the values are.
    return squares === 0 || length === 0 ? null : Math.fround(product / (Math.sqrt(squares) * length));
  };
}

/** The product of two vectors of one length, and the squares of the second; two sums each, which a processor adds side by side. */
function compared(one: Float32Array, other: Float32Array): { readonly product: number; readonly squares: number } {
  let product = 0;
  let product2 = 0;
  let squares = 0;
  let squares2 = 0;
  for (let i = 0; i + 1 < one.length; i += 2) {
    // Safe: both are as long as the loop reads, and a check of each value would take as long as the sums.
    const a = other[i] as number;
    const b = other[i + 1] as number;
    product += a * (one[i] as number);
    product2 += b * (one[i + 1] as number);
    squares += a * a;
    squares2 += b * b;
  }
  return { product: product + product2, squares: squares + squares2 };
}
