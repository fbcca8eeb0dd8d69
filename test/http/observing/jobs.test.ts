import { afterAll, describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import { UnfinishedJobs } from "../../../src/core/schema/observing/jobs.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/admin/jobs";
const clock = fakeClock();
const inner = hashEmbedder();
let isBroken = false;
/** Fails in the background while it is broken, as a model whose file went away. */
const embedder: typeof inner = {
  ...inner,
  embed: async (texts, options) => {
    if (isBroken) throw new Error("The model does not answer.");
    return inner.embed(texts, options);
  },
};
const { app, client, settle } = await openApp({ flags: [GATEWAY], embedder, clock });
afterAll(() => app.stop());
const acme = client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" });
const globex = client.as({ ...viaGateway("globex"), "X-Org-Role": "admin" });
const read = (as = client) => as.ok(UnfinishedJobs, "GET", PATH);

describe.skipIf(isBinary)("jobs that are not finished", () => {
  test("are counted by kind and state, of one's own tenant, or of all for the owner", async () => {
    expect(await read()).toEqual({ counts: [], failing: [] });
    await memoriesApi(acme, "acme").bulk([{ content: "The wombat crane is painted green this year." }]);
    const { counts, failing } = await read(acme);
    expect(failing).toEqual([]);
    const waiting = { due: 1, running: 0, scheduled: 0, failing: 0 };
    expect(counts).toEqual(expect.arrayContaining([{ kind: "embed_memories", ...waiting }]));
    expect(await read()).toEqual({ counts, failing });
    expect(await read(globex)).toEqual({ counts: [], failing: [] });
    await settle();
    expect((await read(acme)).counts).toEqual([]);
  });

  test("tell of those that fail: which, how often, when again and why, never what was written", async () => {
    isBroken = true;
    await memoriesApi(acme, "acme").bulk([{ content: "The wombat ferry leaves at nine every morning." }]);
    await settle();
    clock.advance(2_000);
    await settle();
    for (const as of [acme, client]) {
      const { counts, failing } = await read(as);
      expect(counts).toContainEqual({ kind: "embed_memories", due: 0, running: 0, scheduled: 1, failing: 1 });
      expect(failing).toContainEqual({
        tenant_id: "acme",
        kind: "embed_memories",
        attempt: 2,
        run_after: toTimestamp(clock.now() + 2_000),
        reason: expect.stringContaining("The model does not answer."),
      });
      expect(JSON.stringify({ counts, failing })).not.toContain("wombat");
    }
    expect(await read(globex)).toEqual({ counts: [], failing: [] });
    isBroken = false;
    clock.advance(10_000);
    await settle();
    expect(await read()).toEqual({ counts: [], failing: [] });
  });

  test("show a hundred failing ones at most, those that were tried most often", async () => {
    const { jobs } = app.services.storage;
    const payload = { tenant_id: "acme", memory_ids: [] };
    const added = Array.from({ length: 130 }, () => ({ kind: "compare_stated", payload }) as const);
    await jobs.add(added, clock.now());
    for (let i = 0; i < added.length; i++) {
      const leased = await jobs.claim(clock.now(), 1_000);
      await jobs.retry(leased?.id ?? 0, clock.now() + 3_600_000, "Error: it was told to fail");
    }
    const { counts, failing } = await read(acme);
    expect(counts).toEqual([{ kind: "compare_stated", due: 0, running: 0, scheduled: 130, failing: 130 }]);
    expect(failing).toHaveLength(100);
  });

  test("are for administrators", async () => {
    const nobody = client.as(viaGateway("acme"));
    expect(refusalOf(await nobody.refused("GET", PATH))).toEqual([403, "ADMIN_REQUIRED"]);
  });
});
