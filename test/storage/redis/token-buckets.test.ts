import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SharedBuckets } from "../../../src/core/ports/shared-buckets.ts";
import { redisBuckets } from "../../../src/storage/redis/token-buckets.ts";
import { fakeClock } from "../../support/clock.ts";
import type { RedisServer } from "../../support/redis.ts";
import { INSTALLED_REDIS, inProcessRedis, realRedis } from "../../support/redis.ts";

/** So slow that nothing is refilled while a test runs. */
const NEVER = 0.001;
/** So fast that a bucket is full again within some hundredths of a second. */
const SOON = 100;

const now = (): number => performance.timeOrigin + performance.now();

describe("in a server in this process, which runs the script with Fengari,", () => {
  describeServer(async () => inProcessRedis(now));

  test("a clock that is set back refills nothing and takes nothing away", async () => {
    const clock = fakeClock();
    const server = inProcessRedis(clock.now);
    const buckets = redisBuckets(server.url);
    const budget = { rate: 1, capacity: 5 };
    expect(await buckets.take("back", budget)).toEqual({ allowed: true, left: 4 });
    clock.advance(-2_000);
    expect(await buckets.take("back", budget)).toEqual({ allowed: true, left: 3 });
    clock.advance(1_000);
    expect(await buckets.take("back", budget)).toEqual({ allowed: true, left: 3 });
    buckets.close();
    await server.stop();
  });
});

const real = INSTALLED_REDIS;
if (real === null) test.skip("in a real Redis: neither redis-server nor valkey-server is installed here", () => {});
else describe(`in ${real}`, () => describeServer(() => realRedis(real)));

function describeServer(start: () => Promise<RedisServer>): void {
  let server: RedisServer;
  let buckets: SharedBuckets;
  let other: SharedBuckets;
  beforeAll(async () => {
    server = await start();
    buckets = redisBuckets(server.url);
    other = redisBuckets(server.url);
  });
  afterAll(async () => {
    buckets.close();
    other.close();
    await server.stop();
  });

  test("buckets are emptied one token a call, by whoever calls, and then refuse", async () => {
    const budget = { rate: NEVER, capacity: 2 };
    expect(await buckets.take("shared", budget)).toEqual({ allowed: true, left: expect.closeTo(1, 2) });
    expect(await other.take("shared", budget)).toEqual({ allowed: true, left: expect.closeTo(0, 2) });
    expect(await buckets.take("shared", budget)).toEqual({ allowed: false, left: expect.closeTo(0, 2) });
    expect(await other.take("shared", budget)).toEqual({ allowed: false, left: expect.closeTo(0, 2) });
  });

  test("buckets of another name are others", async () => {
    const budget = { rate: NEVER, capacity: 1 };
    expect((await buckets.take("one", budget)).allowed).toBe(true);
    expect((await buckets.take("two", budget)).allowed).toBe(true);
    expect((await buckets.take("one", budget)).allowed).toBe(false);
  });

  test("buckets gain as many tokens as their rate says, over the whole seconds as over the rest", async () => {
    const budget = { rate: 10, capacity: 1_000 };
    const sent = now();
    await buckets.take("gaining", budget);
    const first = now();
    for (let i = 0; i < 98; i++) await buckets.take("gaining", budget);
    await Bun.sleep(1_500);
    const last = now();
    const { left } = await buckets.take("gaining", budget);
    const gained = left - (budget.capacity - 100);
    // Redis saw the first and the last call somewhere between sending and answer.
    expect(gained).toBeGreaterThan(((last - first) / 1_000) * budget.rate - 0.1);
    expect(gained).toBeLessThan(((now() - sent) / 1_000) * budget.rate + 0.1);
  });

  test("buckets never hold more than their capacity", async () => {
    const budget = { rate: SOON, capacity: 3 };
    for (let i = 0; i < 3; i++) await buckets.take("filled", budget);
    await Bun.sleep(200);
    expect(await buckets.take("filled", budget)).toEqual({ allowed: true, left: expect.closeTo(2, 0) });
  });

  test("buckets refuse no call for ever: what was refused is allowed later", async () => {
    const budget = { rate: SOON, capacity: 1 };
    let refused = 0;
    for (let i = 0; i < 200 && refused === 0; i++) if (!(await buckets.take("later", budget)).allowed) refused++;
    let allowed = false;
    for (let i = 0; i < 200 && !allowed; i++) {
      allowed = (await buckets.take("later", budget)).allowed;
      if (!allowed) await Bun.sleep(5);
    }
    expect({ refused, allowed }).toEqual({ refused: 1, allowed: true });
  });

  test("buckets are kept until they are full again, and leave nothing behind then", async () => {
    await buckets.take("gone", { rate: SOON, capacity: 1 });
    expect(await server.keys()).toContain("cairn:rate:gone");
    let isGone = false;
    for (let i = 0; i < 100 && !isGone; i++) {
      await Bun.sleep(50);
      isGone = !(await server.keys()).includes("cairn:rate:gone");
    }
    expect(isGone).toBe(true);
    // Full again after ten seconds.
    await buckets.take("kept", { rate: 0.1, capacity: 1 });
    await Bun.sleep(1_200);
    expect(await server.keys()).toContain("cairn:rate:kept");
  });

  test("EVAL and its commands answer as the documents of Redis say", async () => {
    const client = new Bun.RedisClient(server.url);
    const run = (script: string, ...args: string[]) => client.send("EVAL", [script, "1", "a hash", ...args]);
    expect(await run("return {KEYS[1], ARGV[2]}", "x", "y")).toEqual(["a hash", "y"]);
    expect(await run("return {3.9, 'text', true, false, {1}, nil, 'never'}")).toEqual([3, "text", 1, null, [1]]);
    expect(await run("return redis.call('HMGET', KEYS[1], 'f')[1] == false")).toBe(1);
    expect(await run("return redis.call('PEXPIRE', KEYS[1], 1000)")).toBe(0);
    expect(await run("return redis.call('HSET', KEYS[1], 'f', 1.5, 'g', 2.0)")).toBe(2);
    expect(await run("return redis.call('HSET', KEYS[1], 'f', 'new', 'h', '')")).toBe(1);
    expect(await run("return redis.call('HMGET', KEYS[1], 'f', 'g', 'h', 'i')")).toEqual(["new", "2", "", null]);
    expect(await run("return #redis.call('TIME')")).toBe(2);
    await expect(run("return redis.call('PEXPIRE', KEYS[1], 1.5)")).rejects.toThrow("ERR value is not an integer");
    await expect(run("return redis.call('NO.SUCH')")).rejects.toThrow("ERR");
    await expect(run("return nowhere.at_all")).rejects.toThrow("ERR");
    expect(await run("return redis.call('PEXPIRE', KEYS[1], 0)")).toBe(1);
    expect(await run("return redis.call('HMGET', KEYS[1], 'f')")).toEqual([null]);
    client.close();
  });
}
