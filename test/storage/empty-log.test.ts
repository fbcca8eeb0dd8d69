import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { temporaryFolder } from "../support/app.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

test("while the log cannot be cut because somebody reads, writes go on", async () => {
  const file = join(folder.path, "cairn.db");
  const db = connect(file, vectorExtensionPath(tmpdir()));
  db.writeConnection.exec("create table some (n integer)");
  const reader = new Database(file, { readonly: true });
  reader.exec("begin; select count(*) from some");
  const write = () => db.transaction(() => db.writeConnection.exec("insert into some values (1)"));
  write();
  let isOver = false;
  const cut = db.emptyLog().then(
    () => "cut",
    () => "refused",
  );
  const answered = cut.finally(() => {
    isOver = true;
  });
  let writes = 0;
  for (; !isOver; await Bun.sleep(10)) {
    write();
    writes++;
  }
  expect(await answered).toBe("refused");
  expect(writes).toBeGreaterThan(10);
  reader.exec("commit");
  reader.close();
  await db.emptyLog();
  expect(statSync(`${file}-wal`).size).toBe(0);
  await db.close();
});
