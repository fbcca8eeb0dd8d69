import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SharedBuckets } from "../../../src/core/ports/shared-buckets.ts";
import { redisBuckets } from "../../../src/storage/redis/token-buckets.ts";
import type { RedisServer } from "../../support/redis.ts";
import { INSTALLED_REDIS, inProcessRedis, realRedis } from "../../support/redis.ts";

/** So slow that nothing is refilled while a test runs. */
const NEVER = 0.001;
/** So fast that a bucket is full again within some hundredths of a second. */
const SOON = 100;

interface Kind {
  readonly name: string;
  readonly command: string | null;
}

const KINDS: readonly Kind[] = [
  { name: "a server in this process that runs the script with Fengari", command: null },
  ...(INSTALLED_REDIS === null ? [] : [{ name: "the Redis of this machine", command: INSTALLED_REDIS }]),
];

describe.each(KINDS)("buckets in $name", ({ command }) => {
  let server: RedisServer;
  let buckets: SharedBuckets;
  let other: SharedBuckets;
  beforeAll(async () => {
    server =
      command === null ? inProcessRedis(() => performance.timeOrigin + performance.now()) : await realRedis(command);
    buckets = redisBuckets(server.url);
    other = redisBuckets(server.url);
  });
  afterAll(async () => {
    buckets.close();
    other.close();
    await server.stop();
  });

  test("are emptied one token a call, by whoever calls, and then refuse", async () => {
    const budget = { rate: NEVER, capacity: 2 };
    expect(await buckets.take("shared", budget)).toEqual({ allowed: true, left: expect.closeTo(1, 2) });
    expect(await other.take("shared", budget)).toEqual({ allowed: true, left: expect.closeTo(0, 2) });
    expect(await buckets.take("shared", budget)).toEqual({ allowed: false, left: expect.closeTo(0, 2) });
    expect(await other.take("shared", budget)).toEqual({ allowed: false, left: expect.closeTo(0, 2) });
  });

  test("of another name are others", async () => {
    const budget = { rate: NEVER, capacity: 1 };
    expect((await buckets.take("one", budget)).allowed).toBe(true);
    expect((await buckets.take("two", budget)).allowed).toBe(true);
    expect((await buckets.take("one", budget)).allowed).toBe(false);
  });

  test("fill again with time, and never beyond what they hold", async () => {
    const budget = { rate: SOON, capacity: 3 };
    for (let i = 0; i < 3; i++) await buckets.take("filled", budget);
    await Bun.sleep(200);
    expect(await buckets.take("filled", budget)).toEqual({ allowed: true, left: expect.closeTo(2, 0) });
  });

  test("refuse no call for ever: what was refused is allowed later", async () => {
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

  test("that are full again leave nothing behind", async () => {
    await buckets.take("gone", { rate: SOON, capacity: 1 });
    expect(await server.keys()).toContain("cairn:rate:gone");
    let isGone = false;
    for (let i = 0; i < 100 && !isGone; i++) {
      await Bun.sleep(50);
      isGone = !(await server.keys()).includes("cairn:rate:gone");
    }
    expect(isGone).toBe(true);
    await buckets.take("kept", { rate: NEVER, capacity: 1 });
    await Bun.sleep(1_200);
    expect(await server.keys()).toContain("cairn:rate:kept");
  });
});

test.skipIf(INSTALLED_REDIS !== null)("no redis-server is installed: the script ran in this process only", () => {
  expect(KINDS).toHaveLength(1);
});
