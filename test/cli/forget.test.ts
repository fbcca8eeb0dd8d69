import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Backup } from "../../src/core/schema/keeping/backup.ts";
import { ForgetCounts } from "../../src/core/schema/keeping/forget.ts";
import { CAIRN } from "../fault/server.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { openApp } from "../support/in-process.ts";

const root = temporaryFolder();
afterAll(root.remove);
const data = join(root.path, "data");
const cairn = cairnIn(data, root.path);
const HANG_GUARD_MS = 120_000;

const Told = z.object({
  dry_run: z.boolean(),
  counts: ForgetCounts,
  backups: z.array(Backup),
  copies: z.array(z.string()),
});
const Listed = z.object({ items: z.array(z.object({ content: z.string() })) });
const contents = async (): Promise<string[]> => {
  const { out } = await cairn(["list", "--json"]);
  return Listed.parse(JSON.parse(out)).items.map(({ content }) => content);
};
/** The files of the data folder that hold these bytes, backups apart. */
const holding = (bytes: string): string[] =>
  readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(data, entry.name)).includes(bytes))
    .map(({ name }) => name);

describe("cairn forget", () => {
  test(
    "without a terminal says how much, wants --yes, erases, and names the backups that still hold it",
    async () => {
      expect(await cairn(["add", "Marta Zqvxquist pays by card."])).toMatchObject({ code: 0 });
      expect(await cairn(["add", "The harbour office opens at seven."])).toMatchObject({ code: 0 });
      expect(await cairn(["backup"])).toMatchObject({ code: 0 });
      const filter = ["--match", "marta zqvxQUIST"];
      const found = await cairn(["forget", ...filter, "--dry-run"]);
      expect(found).toMatchObject({ code: 0, out: expect.stringContaining("memories, deleted ones too: 1") });
      const asked = await cairn(["forget", ...filter]);
      expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
      expect(await contents()).toHaveLength(2);
      const { code, out, err } = await cairn(["forget", ...filter, "--yes"]);
      expect([code, out]).toEqual([0, expect.stringContaining("memories, deleted ones too: 1")]);
      const [backup = ""] = readdirSync(join(data, "backups"));
      expect(err).toContain(join(data, "backups", backup));
      expect(err).toContain("exports, are not reached");
      expect(await contents()).toEqual(["The harbour office opens at seven."]);
      expect([...holding("Zqvxquist"), ...holding("zqvxquist")]).toEqual([]);
      const again = Told.parse(JSON.parse((await cairn(["forget", ...filter, "--yes", "--json"])).out));
      expect([again.dry_run, again.counts.memories, again.backups.length]).toEqual([false, 0, 1]);
    },
    HANG_GUARD_MS,
  );

  test.each([
    [["forget"], "Say what to forget"],
    [["forget", "--before", "2026-02-30"], "--before is a day"],
  ])("%j is told to be written wrongly", async (words, said) => {
    expect(await cairn(words)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  });

  test(
    "that was killed in the middle is finished by running it again",
    async () => {
      const folder = join(root.path, "killed");
      const { app, client } = await openApp({ folder });
      for (let i = 0; i < 1_000; i += 100) {
        const items = Array.from({ length: 100 }, (_, j) => ({ content: `Zqvxquist has row ${i + j} of the ledger.` }));
        await memoriesApi(client).bulk(items);
      }
      await app.stop();
      const again = cairnIn(folder, root.path);
      const words = ["forget", "--match", "zqvxquist", "--yes", "--json", "--data", folder, "--embedder=hash"];
      const child = Bun.spawn([...CAIRN, ...words], { stdout: "ignore", stderr: "ignore", env: { HOME: folder } });
      // Once something is erased the log grows.
      const log = join(folder, "cairn.db-wal");
      while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 500_000) await Bun.sleep(5);
      child.kill("SIGKILL");
      await child.exited;
      const { counts } = Told.parse(JSON.parse((await again(words.slice(0, 5))).out));
      expect(counts.memories).toBeGreaterThan(0);
      expect(counts.memories).toBeLessThan(1_000);
      const bytes = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
      const held = bytes.filter(({ name }) => /zqvxquist/i.test(readFileSync(join(folder, name), "latin1")));
      expect(held.map(({ name }) => name)).toEqual([]);
    },
    HANG_GUARD_MS,
  );
});
