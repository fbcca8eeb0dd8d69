import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyTables } from "../../src/storage/sqlite/salvage/copy.ts";

/** A table as a damaged file may have it: nothing holds its rows to what the shape asks for. */
function damaged(columns: string, ...rows: readonly string[]): Database {
  const db = new Database(":memory:");
  db.exec(`create table kept (${columns})`);
  for (const row of rows) db.exec(`insert into kept values (${row})`);
  return db;
}

test("a row that breaks a rule of its table is told as lost, whichever rule it is", () => {
  const rows = ["1, 'a', 'one'", "2, 'b', null", "3, 'a', 'three'", "4, 'd', 'four'"];
  const from = damaged("seq integer primary key, id text, name text", ...rows);
  const to = new Database(":memory:");
  to.exec("create table kept (seq integer primary key, id text not null unique, name text not null) strict");
  expect(copyTables(from, to)).toEqual([{ table: "kept", rows: 2, ids: ["b", "a"] }]);
  expect(to.query("select seq from kept").values()).toEqual([[1], [4]]);
});
