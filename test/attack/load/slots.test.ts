import { expect, test } from "bun:test";
import { z } from "zod";
import { readBytes } from "../../../src/http/body.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { aMemory } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

const LIMIT = 8;
const Key = z.object({ raw_key: z.string() });

/** A body that never ends. */
const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });

test.each(["/mcp", MEMORIES])("one caller that sends without end to %s leaves places for all others", async (path) => {
  const { app, client } = await openApp({ flags: [`--requests-limit=${LIMIT}`] });
  const keyOf = async (agent_id: string) => {
    const body = { label: agent_id, agent_id, fleet_id: agent_id, trust: 1 };
    return (await client.ok(Key, "POST", "/api/v1/keys", { body })).raw_key;
  };
  const [crowd, other] = [await keyOf("crowd"), await keyOf("other")];
  const hold = () =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method: "POST",
        body: endless(),
        headers: { "Content-Type": "application/json", "X-API-Key": crowd },
      }),
    );
  const answers: Response[] = [];
  for (let i = 0; i < 3 * LIMIT; i++) hold().then((answer) => answers.push(answer));
  await Bun.sleep(200);
  expect(answers.length).toBe(2.5 * LIMIT);
  const [refused] = answers;
  expect([refused?.status, refused?.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(await refused?.text()).toContain("too_many_requests_of_one_caller");
  const written = await client.call("POST", MEMORIES, { body: aMemory(), headers: { "X-API-Key": other } });
  expect(written.status).toBe(201);
  await app.stop();
});

test("who asks after the health of a server that is full is answered", async () => {
  const { app, client } = await openApp({ flags: ["--requests-limit=1"] });
  const headers = { "Content-Type": "application/json" };
  app.handle(new Request(`http://localhost${MEMORIES}`, { method: "POST", body: endless(), headers }));
  await Bun.sleep(50);
  expect((await client.call("GET", MEMORIES)).status).toBe(503);
  expect((await client.call("GET", "/api/v1/health")).status).toBe(200);
  await app.stop();
});

test.each(["/mcp", MEMORIES])("a body to %s that never ends is refused in time", async (path) => {
  const { app } = await openApp({ requestLimitMs: 50 });
  const headers = { "Content-Type": "application/json" };
  const answer = await app.handle(new Request(`http://localhost${path}`, { method: "POST", body: endless(), headers }));
  expect(answer.status).toBe(408);
  await app.stop();
});

test("a body that drips in is refused, one that comes at a fair pace is not, however long it takes", async () => {
  /** Pieces that each come a moment after the other; a late machine delays them, which the pace allows for. */
  const dripping = (bytes: number, pieces: number) => {
    let sent = 0;
    const body = new ReadableStream({
      pull: async (controller) => {
        await Bun.sleep(20);
        if (++sent > pieces) controller.close();
        else controller.enqueue(new Uint8Array(bytes));
      },
    });
    return readBytes(new Request("http://localhost/", { method: "POST", body }), {
      grace_ms: 1_000,
      bytes_a_second: 1_000,
    });
  };
  expect((await dripping(1_000, 60)).byteLength).toBe(60_000);
  await expect(dripping(1, 10_000)).rejects.toThrow("did not arrive in time");
});

test("a caller who has spent its calls is refused before its body is read", async () => {
  const { app } = await openApp({ flags: ["--rate-reads=1"] });
  const ask = () =>
    app.handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        body: endless(),
        headers: { "Content-Type": "application/json" },
      }),
    );
  ask();
  const { status, headers } = await ask();
  expect([status, headers.get("Retry-After")]).toEqual([429, expect.any(String)]);
  await app.stop();
});
