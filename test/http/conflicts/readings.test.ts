import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../support/api/client.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { contentsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const READINGS = {
  february: "2026-02-01: disk usage on db1 is 55 %",
  march: "2026-03-01: disk usage on db1 is 61 %",
  april: "2026-04-01: disk usage on db1 is 74 %",
  late: "On 31 March 2026 the p95 latency of the checkout was 120 ms.",
  next: "On 1 April 2026 the p95 latency of the checkout was 250 ms.",
};
/** How often, and how long each time, it is waited for the detector. */
const LOOKS = 20;
const WAITING = { wait_ms: 2_000 };

const apiOf = (client: Client) => ({ ...memoriesApi(client), ...contradictionsApi(client) });
type Name = keyof typeof READINGS;

describe.each(["hash", "onnx"] as const)("with the embedder %s", (embedder) => {
  let app: Awaited<ReturnType<typeof startApp>>;
  let api: ReturnType<typeof apiOf>;
  const ids: Partial<Record<Name, string>> = {};
  beforeAll(async () => {
    app = await startApp({ embedder });
    api = apiOf(app.client);
    // Safe: the keys of the table are its names.
    for (const name of Object.keys(READINGS) as Name[]) ids[name] = (await api.write(READINGS[name])).id;
    await app.settle();
  }, 60_000);
  afterAll(() => app.stop());

  test("figures of days of their own contradict nothing", async () => {
    for (const id of Object.values(ids)) {
      let looked = await api.contradictions(id);
      for (let i = 0; i < LOOKS && looked.checked_at === null; i++) looked = await api.contradictions(id, WAITING);
      expect([looked.checked_at, looked.contradictions, looked.status]).toEqual([expect.any(String), [], "active"]);
    }
  }, 60_000);

  test.each<[string, Name]>([
    ["disk usage on db1 in March", "march"],
    ["disk usage on db1 in March 2026", "march"],
    ["what was the disk usage on db1 on 2026-02-01?", "february"],
    ["disk usage on db1 in April", "april"],
    ["checkout latency in March", "late"],
    ["checkout latency on 1 April", "next"],
  ])("'%s' has the figure of that time first", async (query, name) => {
    const [first] = contentsOf(await api.search(query, { top_k: 5 }));
    expect(first).toBe(READINGS[name]);
    const { memories } = await api.recall(query, { top_k: 5 });
    expect(memories[0]?.content).toBe(READINGS[name]);
  });

  test("without a time the newest is first", async () => {
    expect(contentsOf(await api.search("disk usage on db1", { top_k: 5 }))[0]).toBe(READINGS.april);
  });
});
