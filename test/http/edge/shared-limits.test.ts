import { afterAll, describe, expect, test } from "bun:test";
import { Health, Status } from "../../../src/core/schema/system.ts";
import { redisBuckets } from "../../../src/storage/redis/token-buckets.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";
import { fakeRedis } from "../../support/redis.ts";

const clock = fakeClock();
const redis = fakeRedis(clock.now);
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
    for (const name of redis.names) expect(name).toMatch(/^cairn:rate:(write|bulk|search|read):[0-9a-f]{64}$/);
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
    const first = fakeRedis(clock.now);
    const port = Number(new URL(first.url).port);
    const { write } = await aServer(first.url, 1);
    expect(await write()).toEqual([201, "0"]);
    first.stop();
    expect([await write(), await write()]).toEqual([
      [201, "0"],
      [429, "0"],
    ]);
    const second = fakeRedis(clock.now, port);
    stops.push(second.stop);
    expect(await write()).toEqual([429, "0"]);
    clock.advance(1_001);
    await write();
    expect(second.names.size).toBe(1);
  });
});

const REDIS = Bun.which("redis-server") ?? Bun.which("valkey-server");

test.skipIf(REDIS === null)(
  "the script keeps a bucket in a real Redis, and leaves nothing behind when it is full",
  async () => {
    const port = 20_000 + (process.pid % 20_000);
    const server = Bun.spawn([REDIS ?? "", "--port", String(port), "--save", ""], {
      stdout: "ignore",
      stderr: "ignore",
    });
    const buckets = redisBuckets(`redis://127.0.0.1:${port}`);
    try {
      let up = false;
      for (let i = 0; i < 100 && !up; i++) {
        up = await buckets.ping().then(
          () => true,
          () => false,
        );
        if (!up) await Bun.sleep(50);
      }
      const take = () => buckets.take("test", { rate: 0.001, capacity: 2 });
      expect([await take(), await take(), await take()]).toMatchObject([
        { allowed: true, left: 1 },
        { allowed: true, left: expect.closeTo(0, 2) },
        { allowed: false, left: expect.closeTo(0, 2) },
      ]);
      expect(await buckets.take("another", { rate: 5, capacity: 5 })).toMatchObject({ allowed: true, left: 4 });
    } finally {
      buckets.close();
      server.kill();
      await server.exited;
    }
  },
);
