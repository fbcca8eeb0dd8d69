/** Rarity is measured as if there were at least this many rows, so that it means the same in a young store. */
const ROWS_MIN = 1_000;

/**
 * How rare something is that `rows` of `total` rows have, in nats: inverse document frequency as in BM25 (Robertson and
 * Zaragoza 2009, formula 3.3). Below 0 for what more than half of them have.
 */
export const inverseDocumentFrequency = (rows: number, total: number): number =>
  Math.log((Math.max(0, Math.max(total, ROWS_MIN) - rows) + 0.5) / (rows + 0.5));
