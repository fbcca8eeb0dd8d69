import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Memory } from "../../../src/core/schema/memory.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import { openApp } from "../../support/in-process.ts";
import { aFolder, cleanUp, runToEnd } from "../server.ts";

afterAll(cleanUp);

const SECRET = "zqvxwjkqpzunheard";

/** A folder whose file holds a word in pages that nothing uses, as one left behind that did not overwrite what it deleted. */
async function folderWithLeftovers(): Promise<string> {
  const folder = aFolder();
  const { app, client, settle } = await openApp({ folder });
  const items = Array.from({ length: 60 }, (_, i) => ({ content: `Crane ${i} of the northern dock was inspected.` }));
  await client.call("POST", "/api/v1/memories/bulk", { body: { items } });
  await settle();
  await app.stop();
  const db = new Database(join(folder, "cairn.db"));
  db.exec("pragma secure_delete = off; create table leftovers (word text)");
  const put = db.query("insert into leftovers values (?)");
  for (let i = 0; i < 500; i++) put.run(`${SECRET} ${i}`);
  db.exec("drop table leftovers; pragma wal_checkpoint(truncate)");
  db.close();
  return folder;
}

const holds = (folder: string) => readFileSync(join(folder, "cairn.db")).includes(SECRET);

test("a rebuild leaves nothing of what was deleted before deletions were overwritten, and every row", async () => {
  const folder = await folderWithLeftovers();
  expect(holds(folder)).toBe(true);
  const { code, stderr } = await runToEnd(["rebuild", "--embedder=hash", `--data=${folder}`]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Indexes of 60 memories") });
  expect(holds(folder)).toBe(false);
  const { app, client, settle } = await openApp({ folder });
  await settle();
  const body = { query: "crane northern dock", limit: 10 };
  const { items } = await client.ok(SearchReply, "POST", "/api/v1/search", { body });
  expect(items).toHaveLength(10);
  expect(items.every(({ similarity }) => similarity !== null)).toBe(true);
  await client.ok(Memory, "POST", "/api/v1/memories", { body: { content: "A statement written after the rebuild." } });
  expect((await runOf(app)).ok).toBe(true);
  await app.stop();
});

const runOf = async (app: Awaited<ReturnType<typeof openApp>>["app"]) =>
  (await app.services.storage.indexes.inspect(null, () => {})).checks.reduce((all, { ok }) => ({ ok: all.ok && ok }), {
    ok: true,
  });
