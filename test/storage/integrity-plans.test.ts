import { expect, test } from "bun:test";
import { rowChecks } from "../../src/storage/sqlite/integrity/row-checks.ts";
import { slicesOf } from "../../src/storage/sqlite/integrity/slices.ts";
import { openPlanned } from "../support/plans.ts";

/** What may be gone through whole: one row's JSON, the list of pending jobs (once a statement), what was counted just now. */
const BOUNDED = /^SCAN (?:json_each|l|c|counted|CONSTANT ROW)\b/;

for (const { name, counts } of [...rowChecks("a"), ...rowChecks("b")]) {
  for (const { over, sql } of counts) {
    test(`${name}: each slice of ${over.table} is looked up, and so is what its rows are compared with`, () => {
      const plan = openPlanned()
        .at.readConnection.query<{ detail: string }, []>(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => detail);
      expect(plan.filter((line) => line.startsWith("SCAN") && !BOUNDED.test(line))).toEqual([]);
      expect(plan.some((line) => /^SEARCH .*(?:rowid|seq)>\? AND (?:rowid|\w*seq)<\?/.test(line))).toBe(true);
    });
  }
}

test("slices hold every row once, negative numbers and gaps included", () => {
  const { writeConnection } = openPlanned().at;
  writeConnection.exec(
    "create table some (seq integer primary key); insert into some values (-7), (1), (2), (50), (51), (103)",
  );
  const rows = writeConnection.query<{ seq: number }, [number, number]>(
    "select seq from some where seq > ? and seq <= ?",
  );
  const slices = slicesOf(writeConnection, { table: "some", key: "seq" }, 25);
  expect(slices.flatMap(({ $from, $to }) => rows.all($from, $to).map(({ seq }) => seq))).toEqual([
    -7, 1, 2, 50, 51, 103,
  ]);
  expect(slicesOf(writeConnection, { table: "memory_claims", key: "memory_seq" }, 25)).toEqual([]);
});
