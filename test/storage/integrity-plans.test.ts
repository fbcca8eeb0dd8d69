import { expect, test } from "bun:test";
import { rowChecks } from "../../src/storage/integrity/row-checks.ts";
import { slicesOf } from "../../src/storage/integrity/slices.ts";
import { sqliteChecks } from "../../src/storage/sqlite/integrity/checks.ts";
import { sqliteDialect } from "../../src/storage/sqlite/units/dialect.ts";
import { drive } from "../../src/storage/sqlite/units/drive.ts";
import { render } from "../../src/storage/sqlite/units/render.ts";
import { createSharedIndex } from "../../src/storage/sqlite/vector-index/shared-memory.ts";
import { SPACE } from "../support/builders.ts";
import { openPlanned } from "../support/plans.ts";

/** What may be gone through whole: one row's JSON, the list of pending jobs (once a statement), what was counted just now. */
const BOUNDED = /^SCAN (?:json_each|l|c|counted|CONSTANT ROW)\b/;

const engine = sqliteChecks(openPlanned().at.readConnection, createSharedIndex(0));
for (const [side, tenant] of [
  ["a", null],
  ["b", null],
  ["a", "default"],
] as const) {
  const what = { space: { ...SPACE, side }, tenant };
  for (const { name, counts } of rowChecks(sqliteDialect, engine, what)) {
    for (const { over, count } of counts) {
      const of = tenant === null ? "all tenants" : "one tenant";
      test(`${name} of ${of}: each slice of ${over.table} is looked up, and so is what its rows are compared with`, () => {
        const plan = openPlanned()
          .at.readConnection.query<{ detail: string }, []>(
            `explain query plan ${render(count({ from: 0, to: 1 })).text}`,
          )
          .all()
          .map(({ detail }) => detail);
        expect(plan.filter((line) => line.startsWith("SCAN") && !BOUNDED.test(line))).toEqual([]);
        expect(plan.some((line) => /^SEARCH .*(?:rowid|seq)>\? AND (?:rowid|\w*seq)<\?/.test(line))).toBe(true);
      });
    }
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
  const slices = (table: string, key: string, size: number) =>
    drive(writeConnection, slicesOf({ dialect: sqliteDialect }, { table, key }, { size, tenant: null }));
  for (const size of [2, 25])
    expect(slices("some", "seq", size).flatMap(({ from, to }) => rows.all(from, to).map(({ seq }) => seq))).toEqual([
      -7, 1, 2, 50, 51, 103,
    ]);
  expect(slices("memory_claims", "memory_seq", 25)).toEqual([]);
});
