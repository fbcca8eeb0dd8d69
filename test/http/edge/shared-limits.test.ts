import { afterAll, describe, expect, test } from "bun:test";
import { Health, Status } from "../../../src/core/schema/system.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";
import { inProcessRedis } from "../../support/redis.ts";

const clock = fakeClock();
const redis = inProcessRedis(clock.now);
const stops: (() => unknown)[] = [redis.stop];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function aServer(url = redis.url, rate = 3) {
  const { app, client } = await openApp({ clock, flags: [`--rate-writes=${rate}`, `--redis-url=${url}`] });
  stops.push(() => app.stop());
  const write = async () => {
    const { status, headers } = await client.call("POST", MEMORIES, { body: aMemory() });
    return [status, headers.get("X-RateLimit-Remaining")];
  };
  return { client, write };
}

describe.skipIf(isBinary)("servers with one Redis", () => {
  test("draw from one budget, and refill it together", async () => {
    const [one, two] = [await aServer(), await aServer()];
    expect([await one.write(), await two.write(), await one.write()]).toEqual([
      [201, "2"],
      [201, "1"],
      [201, "0"],
    ]);
    for (const { write } of [one, two]) expect(await write()).toEqual([429, "0"]);
    clock.advance(334);
    expect([await two.write(), await one.write()]).toEqual([
      [201, "0"],
      [429, "0"],
    ]);
    clock.advance(60_000);
  });

  test("tell it neither keys nor names", async () => {
    const { client } = await aServer();
    const ada = await holder(client, { agent_id: "ada", label: "quokka" });
    await ada.call("POST", MEMORIES, { body: aMemory() });
    const names = await redis.keys();
    expect(names).not.toEqual([]);
    for (const name of names) expect(name).toMatch(/^cairn:rate:(write|bulk|search|read):[0-9a-f]{64}$/);
  });

  test("say in health and status that it is there", async () => {
    const { client } = await aServer();
    const health = await client.call("GET", "/api/v1/health");
    expect([health.status, health.body]).toMatchObject([200, { status: "ok", redis: "connected" }]);
    expect((await client.ok(Status, "GET", "/api/v1/status")).dependencies.redis).toBe("connected");
  });
});

describe.skipIf(isBinary)("without the Redis that it was told to use, a server", () => {
  test("is unhealthy with 503, and still answers within budgets of its own", async () => {
    const { client, write } = await aServer("redis://:quokka@127.0.0.1:1", 2);
    const { status, body } = await client.call("GET", "/api/v1/health");
    expect(status).toBe(503);
    expect(Health.parse(body)).toMatchObject({
      status: "unhealthy",
      storage: "connected",
      redis: "unavailable",
      unhealthy_dependencies: ["redis"],
    });
    expect([await write(), await write(), await write()]).toEqual([
      [201, "1"],
      [201, "0"],
      [429, "0"],
    ]);
    expect(JSON.stringify((await client.call("GET", "/api/v1/status")).body)).not.toContain("quokka");
  });

  test("goes back to it as soon as it answers again", async () => {
    const first = inProcessRedis(clock.now);
    const port = Number(new URL(first.url).port);
    const { write } = await aServer(first.url, 1);
    expect(await write()).toEqual([201, "0"]);
    await first.stop();
    expect([await write(), await write()]).toEqual([
      [201, "0"],
      [429, "0"],
    ]);
    const second = inProcessRedis(clock.now, port);
    stops.push(second.stop);
    expect(await write()).toEqual([429, "0"]);
    clock.advance(1_001);
    await write();
    expect(await second.keys()).toHaveLength(1);
  });
});
