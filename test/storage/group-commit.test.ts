import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { groupCommits } from "../../src/storage/sqlite/engine/group-commit.ts";
import { temporaryFolder } from "../support/app.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

/** A file with one table, how often something was committed to it, and what others see of it. */
function opened(name: string, elapsed = () => 0) {
  const file = join(folder.path, `${name}.db`);
  const own = connect(file, null);
  own.writeConnection.exec("create table notes (text text not null unique)");
  const around = { commits: 0, before: () => {}, after: () => void around.commits++ };
  const db = groupCommits(own, around, elapsed);
  const add = (text: string) => db.writeConnection.query("insert into notes values (?)").run(text);
  const textsIn = (connection: Database) =>
    connection
      .query<{ text: string }, []>("select text from notes order by text")
      .all()
      .map(({ text }) => text);
  const outside = new Database(file, { readonly: true });
  afterAll(async () => {
    outside.close();
    await own.close();
  });
  return { db, add, textsIn, around, seen: () => textsIn(outside) };
}

test("what is written in one turn is committed once, and told when others see it", async () => {
  const { db, add, around, seen } = opened("once");
  const written = ["a", "b", "c"].map((text) => db.write(() => add(text)).then(seen));
  expect(seen()).toEqual([]);
  expect(await Promise.all(written)).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  expect(around.commits).toBe(1);
});

test("a body that throws undoes what it did, and nothing of the others", async () => {
  const { db, add, seen } = opened("undone");
  const settled = await Promise.allSettled([
    db.write(() => add("a")),
    db.write(() => {
      add("half");
      add("a");
    }),
    db.write(() => add("b")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen()).toEqual(["a", "b"]);
});

test("a body reads what those before it wrote, through either connection", async () => {
  const { db, add, textsIn } = opened("reads");
  void db.write(() => add("a"));
  const read = await db.write(() => [textsIn(db.readConnection), textsIn(db.writeConnection)]);
  expect(read).toEqual([["a"], ["a"]]);
});

test("a transaction that is lost as a whole fails every body, and the next one is written", async () => {
  const { db, add, seen } = opened("lost");
  const settled = await Promise.allSettled([
    db.write(() => add("a")),
    db.write(() => {
      db.writeConnection.exec("rollback");
      throw new Error("The disk is full.");
    }),
    db.write(() => add("b")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(seen()).toEqual([]);
  await db.write(() => add("c"));
  expect(seen()).toEqual(["c"]);
});

test("a long group is committed in parts, in order", async () => {
  let now = 0;
  const { db, add, around, seen } = opened("parts", () => now);
  const slow = (text: string) =>
    db
      .write(() => {
        now += 1_000;
        add(text);
      })
      .then(seen);
  expect(await Promise.all([slow("a"), slow("b"), slow("c")])).toEqual([["a"], ["a", "b"], ["a", "b", "c"]]);
  expect(around.commits).toBe(3);
});
