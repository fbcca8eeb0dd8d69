import { afterAll, describe, expect, test } from "bun:test";
import { BulkResult, Memory } from "../../../src/core/schema/memory.ts";
import type { Client } from "../../support/api/client.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { aFolder, cleanUp, openData } from "../server.ts";

afterAll(cleanUp);

const PATH = "/api/v1/memories";
const keyed = (body: unknown) => ({ body, headers: { "Idempotency-Key": "the key" } });
const aBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  tenant_id: "default",
  content: "The pilot boat leaves from pier nine at dawn.",
  ...fields,
});
const write = async (client: Client, body: unknown) => {
  const { status, headers, body: reply } = await client.call("POST", PATH, keyed(body));
  return { status, replayed: headers.get("Idempotency-Replayed"), memory: Memory.parse(reply) };
};

/** Takes back what follows the write: the process died between the two. */
function forgetReply(folder: string): void {
  const db = openData(folder);
  db.exec("update kept_replies set status = null, body = null");
  db.close();
}

describe("a request that died between its write and its reply is, when it is repeated,", () => {
  test.each([["in fast mode", {}] as const, ["in strong mode", { write_mode: "strong" }] as const])(
    "answered with what it wrote, %s",
    async (_, fields) => {
      const folder = aFolder();
      const first = await openApp({ folder });
      const { memory } = await write(first.client, aBody(fields));
      await first.app.stop();
      forgetReply(folder);

      const second = await openApp({ folder });
      for (let i = 0; i < 2; i++) {
        expect(await write(second.client, aBody(fields))).toEqual({ status: 201, replayed: "true", memory });
      }
      expect(await memoriesApi(second.client).count()).toBe(1);
      await second.app.stop();
    },
  );

  test("answered so for each item of a batch", async () => {
    const folder = aFolder();
    const batch = { tenant_id: "default", items: [{ content: aBody().content }, { content: "Another line, too." }] };
    const first = await openApp({ folder });
    const { results } = await first.client.ok(BulkResult, "POST", `${PATH}/bulk`, keyed(batch));
    await first.app.stop();
    forgetReply(folder);

    const second = await openApp({ folder });
    const again = await second.client.ok(BulkResult, "POST", `${PATH}/bulk`, keyed(batch));
    expect(again.results.map(({ id, status }) => [id, status])).toEqual(
      results.map(({ id }) => [id, "duplicate_attempt"]),
    );
    await second.app.stop();
  });

  test("done again where the write did not happen, and free for another body", async () => {
    const folder = aFolder();
    const first = await openApp({ folder });
    await write(first.client, aBody({ persist: false }));
    await first.app.stop();
    forgetReply(folder);
    const second = await openApp({ folder });
    expect(await write(second.client, aBody())).toMatchObject({ status: 201, replayed: null });
    await second.app.stop();
  });
});

test("a write whose reply could not be kept is answered, and so is its repetition", async () => {
  const folder = aFolder();
  const { app, client } = await openApp({ folder });
  const exec = (sql: string) => {
    const db = openData(folder);
    db.exec(sql);
    db.close();
  };
  exec("create trigger full before update on kept_replies begin select raise(abort, 'no room'); end");
  const first = await write(client, aBody());
  expect(first).toMatchObject({ status: 201, replayed: null });
  exec("drop trigger full");
  expect(await write(client, aBody())).toEqual({ ...first, replayed: "true" });
  expect(await memoriesApi(client).count()).toBe(1);
  await app.stop();
});

test("a key means another request once its time is over, even after a crash", async () => {
  const folder = aFolder();
  const first = await openApp({ folder });
  const api = memoriesApi(first.client);
  const { memory } = await write(first.client, aBody());
  await api.remove(memory.id);
  const db = openData(folder);
  db.exec("update kept_replies set status = null, expires = 1");
  db.close();
  const again = await write(first.client, aBody());
  expect(again).toMatchObject({ status: 201, replayed: null });
  expect(again.memory.id).not.toBe(memory.id);
  await first.app.stop();
});
