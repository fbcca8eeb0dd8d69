import { expect, test } from "bun:test";
import fc from "fast-check";
import { CODE_BYTES, indexCodes } from "../../src/storage/common/index-codes.ts";
import { NEVER } from "../../src/storage/sqlite/vector-index/layout.ts";
import { type IndexedColumns, recordsOf } from "../../src/storage/sqlite/vector-index/records.ts";
import { type ColumnFilter, openScanner } from "../../src/storage/sqlite/vector-index/scan.ts";
import { createSharedIndex } from "../../src/storage/sqlite/vector-index/shared-memory.ts";

const DIMENSIONS = 64;
const center = new Float32Array(DIMENSIONS);
const { question, reduce } = indexCodes({ id: "a space", dimensions: DIMENSIONS, center });

const anyVector = fc.float32Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS, noNaN: true, min: -1, max: 1 });
/** Few values, so that many rows are as near as others. */
const aCode = fc.uint8Array({ minLength: 2, maxLength: 2, max: 3 }).map(([a = 0, b = 0]) => {
  const stored = new Uint8Array(DIMENSIONS / 8).fill(a);
  stored.fill(b, DIMENSIONS / 16);
  return reduce(stored);
});
const aRow = fc.record({
  audience: fc.nat(9),
  author: fc.integer({ min: 1, max: 4 }),
  created: fc.nat(50),
  expires: fc.oneof(fc.constant(NEVER), fc.nat(50)),
  type: fc.nat(13),
  status: fc.nat(7),
  weight: fc.nat(255),
  is_live: fc.boolean(),
});
const aFilter: fc.Arbitrary<ColumnFilter> = fc.record({
  audiences: fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 12 }),
  author: fc.nat(4),
  created_from: fc.nat(30),
  created_to: fc.integer({ min: 20, max: 60 }),
  expires_from: fc.nat(30),
  types: fc.nat(2 ** 14 - 1),
  statuses: fc.nat(255),
  weight_from: fc.nat(100),
  weight_to: fc.integer({ min: 100, max: 255 }),
});

interface Case {
  readonly rows: readonly { readonly columns: Omit<IndexedColumns, "seq">; readonly code: Uint8Array | null }[];
  readonly filter: ColumnFilter;
  readonly listed: readonly number[] | null;
}
const aCase: fc.Arbitrary<Case> = fc.record({
  rows: fc.array(fc.record({ columns: aRow, code: fc.option(aCode) }), { maxLength: 120 }),
  filter: aFilter,
  listed: fc.option(fc.uniqueArray(fc.nat(119))),
});

/** What the columns and the list let through, by their meaning. */
function passes({ rows, filter, listed }: Case, slot: number): boolean {
  const { columns, code } = rows[slot] ?? {};
  if (!columns || !code || !columns.is_live) return false;
  if (!filter.audiences.includes(columns.audience)) return false;
  if (filter.author !== 0 && filter.author !== columns.author) return false;
  if (columns.created < filter.created_from || columns.created > filter.created_to) return false;
  if (columns.expires < filter.expires_from) return false;
  if (columns.weight < filter.weight_from || columns.weight > filter.weight_to) return false;
  if (((filter.types >> columns.type) & 1) === 0 || ((filter.statuses >> columns.status) & 1) === 0) return false;
  return listed === null || listed.includes(slot);
}

test("both scans find the same rows, the nearest of all that pass, however rows are written", () => {
  fc.assert(
    fc.property(aCase, anyVector, fc.integer({ min: 1, max: 40 }), (one, values, pool) => {
      const shared = createSharedIndex(2);
      const records = recordsOf(shared);
      // In any order: a number may be used again after larger ones.
      const order = one.rows.map((_, i) => i).sort((a, b) => ((a * 7) % 13) - ((b * 7) % 13));
      for (const seq of order) {
        const row = one.rows[seq];
        if (row) records.put({ ...row.columns, seq }, row.code);
      }
      const asked = { question: question(values), columns: one.filter, pool, passing: one.listed };
      const compiled = openScanner(shared, 0).nearest(asked);
      expect(openScanner(shared, 1, { plain: true }).nearest(asked)).toEqual(compiled);
      const expected = one.rows.flatMap((_, slot) => (passes(one, slot) ? [slot] : []));
      expect(compiled.length).toBe(Math.min(pool, expected.length));
      expect(compiled.every((slot) => expected.includes(slot))).toBe(true);
      if (expected.length <= pool * 8) {
        const likeness = (slot: number) => {
          const code = one.rows[slot]?.code ?? new Uint8Array(CODE_BYTES);
          return code.reduce((sum, value, byte) => sum + (asked.question.table[256 * byte + value] ?? 0), 0);
        };
        const best = expected.map(likeness).sort((a, b) => b - a);
        expect(compiled.map(likeness)).toEqual(best.slice(0, pool));
      }
    }),
    { numRuns: 300 },
  );
});

test("the compiled scan is the one that runs where SIMD is", async () => {
  const module = await WebAssembly.compile(
    await Bun.file(new URL("../../src/storage/sqlite/vector-index/scan.wasm", import.meta.url)).arrayBuffer(),
  );
  expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toContain("scan");
});
