/** One caller's request: settles once, when its last row arrives or with the first error. */
export interface Deferred {
  readonly promise: Promise<Float32Array[]>;
  fill(index: number, row: Float32Array): void;
  fail(reason: unknown): void;
}

/** A promise of one vector a row, settled from outside: by the last row that arrives, or by the first error. */
export function createDeferred(count: number): Deferred {
  const rows = new Array<Float32Array>(count);
  const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
  let left = count;
  return {
    promise,
    fill(index, row) {
      rows[index] = row;
      left--;
      if (left === 0) resolve(rows);
    },
    fail: reject,
  };
}
