import { afterAll, expect, test } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { MemoryPage } from "../../src/core/schema/memory-query.ts";
import { aFolder, cleanUp } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";
import { openApp } from "../support/in-process.ts";

afterAll(cleanUp);
const LONG = 60_000;

test(
  "a memory without a vector is told to be pending, and waited for where that is wished",
  async () => {
    const real = hashEmbedder();
    let isBroken = true;
    const { app, client, settle } = await openApp({
      embedder: {
        ...real,
        embed: (...asked) => (isBroken ? Promise.reject(new Error("out of order")) : real.embed(...asked)),
      },
    });
    try {
      const here = cairnIn(aFolder(), aFolder(), { CAIRN_URL: app.listen().url });
      const added = await here(["add", "The quarry closes on Sundays."]);
      expect([added.code, added.err]).toEqual([0, expect.stringContaining("Pending: found by its words at once")]);
      const found = await here(["search", "quarry", "--explain"]);
      expect([found.out, found.err]).toEqual([
        expect.stringContaining("closes on Sundays"),
        expect.stringMatching(/Strategy keyword_only[\s\S]*(embedd|meaning|semantic)/i),
      ]);
      const waiting = here(["add", "The quarry opens again on Mondays.", "--wait"]);
      const count = async () => (await client.ok(MemoryPage, "GET", "/api/v1/memories?tenant_id=default")).items.length;
      while ((await count()) < 2) await Bun.sleep(10);
      isBroken = false;
      app.runner.start();
      await settle();
      expect((await waiting).err).toContain("Found by words and by meaning.");
    } finally {
      await app.stop();
    }
  },
  LONG,
);
