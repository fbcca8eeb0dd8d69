import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { BulkResult, Memory } from "../../src/core/schema/memory.ts";
import { Status } from "../../src/core/schema/system.ts";
import { fakeClock } from "../support/clock.ts";
import { openApp } from "../support/in-process.ts";
import { aFolder, checkData, cleanUp, openData } from "./server.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

afterAll(cleanUp);

const bulk = {
  body: { tenant_id: "default", items: [{ content: "The ferry leaves from pier four at noon." }] },
};

test("a job of a kind that this version does not know waits aside, and the others go on", async () => {
  const folder = aFolder();
  const clock = fakeClock();
  const { app, client, settle } = await openApp({ folder: folder, clock });
  const db = openData(folder);
  db.exec("insert into jobs (kind, payload, run_after, attempt) values ('from_the_future', '{}', 0, 0)");
  db.close();
  await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk);
  await settle();
  expect((await client.ok(Status, "GET", "/api/v1/status")).jobs).toMatchObject({ due: 0, failing: 1 });
  await app.stop();
  checkData(folder);
});

test("a key whose first request died with its process is free again at the next start", async () => {
  const folder = aFolder();
  const { app, client } = await openApp({ folder: folder });
  const db = openData(folder);
  const expires = Date.now() + 60_000;
  db.query(
    "insert into kept_replies (tenant_id, credential, key, request_hash, expires) values ('default', 'standalone', 'mine', 'x', ?)",
  ).run(expires);
  db.close();
  const body = { tenant_id: "default", content: "The second attempt at what the first one left undone." };
  const again = () => client.call("POST", "/api/v1/memories", { body, headers: { "Idempotency-Key": "mine" } });
  const [first, second] = [await again(), await again()];
  expect([first.status, second.status]).toEqual([201, 201]);
  const Stored = z.object({ id: z.string() });
  expect(Stored.parse(first.body).id).toBe(Stored.parse(second.body).id);
  await app.stop();
});

test("a request that fails gives its key back at once", async () => {
  const { app, client } = await openApp({ flags: ["--memories-limit=1"] });
  const write = (content: string, key: string) =>
    client.call("POST", "/api/v1/memories", {
      body: { tenant_id: "default", content },
      headers: { "Idempotency-Key": key },
    });
  const { id } = Memory.parse((await write("The only row that fits.", "one")).body);
  expect((await write("A row too many.", "two")).status).toBe(403);
  await client.call("DELETE", `/api/v1/memories/${id}`, { query: { tenant_id: "default" } });
  expect((await write("A row too many.", "two")).status).toBe(201);
  await app.stop();
});
