import { afterAll, expect, test } from "bun:test";
import { BulkResult } from "../../src/core/schema/memory.ts";
import { Status } from "../../src/core/schema/system.ts";
import { MEMORIES } from "../support/api/memories.ts";
import { TENANT } from "../support/builders.ts";
import { aFolder, cleanUp, spawnServer } from "./server.ts";

afterAll(cleanUp);

const HANG_GUARD_MS = 120_000;
const BULKS = 3;
const ROWS = 100;
const LOOK_MS = 2;

test(
  "while a history is read behind, the status tells what is left, how fast it goes and for how long, down to nothing",
  async () => {
    const { client, terminate } = await spawnServer({ folder: aFolder() });
    const jobs = async () => (await client.ok(Status, "GET", "/api/v1/status")).jobs ?? expect.unreachable();
    for (let i = 0; i < BULKS; i++) {
      const items = Array.from({ length: ROWS }, (_, k) => ({
        content: `The ledger of office ${i * ROWS + k} was moved to shelf ${k} on Friday.`,
      }));
      await client.ok(BulkResult, "POST", `${MEMORIES}/bulk`, { body: { tenant_id: TENANT, items } });
    }
    const seen = [await jobs()];
    for (; (seen.at(-1)?.pending ?? 1) > 0; await Bun.sleep(LOOK_MS)) seen.push(await jobs());
    expect(new Set(seen.map(({ understanding_pending }) => understanding_pending)).size).toBeGreaterThan(3);
    const waiting = seen.filter((one) => one.embedding_pending + one.understanding_pending > 0);
    const paced = waiting.filter((one) => one.embedded_per_second !== null && one.understood_per_second !== null);
    expect(paced.length).toBeGreaterThan(0);
    expect(paced.filter(({ seconds_left }) => seconds_left === null || seconds_left < 1)).toEqual([]);
    const end = seen.at(-1) ?? expect.unreachable();
    expect(end).toMatchObject({ embedding_pending: 0, understanding_pending: 0, seconds_left: 0 });
    expect(Math.min(end.embedded_per_second ?? 0, end.understood_per_second ?? 0)).toBeGreaterThan(0);
    expect(await terminate()).toBe(0);
  },
  HANG_GUARD_MS,
);
