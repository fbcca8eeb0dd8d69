import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { nearest } from "../../scripts/bench/compare/nearest.ts";
import { agentOf } from "../../scripts/bench/fill/rows.ts";
import { fill } from "../../scripts/bench/fill.ts";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { temporaryFolder } from "../support/app.ts";

const HANG_GUARD_MS = 120_000;
const ROWS = 2_000;

describe("a filled folder", () => {
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  beforeAll(() => fill(data, { rows: ROWS, embedder: "hash" }), HANG_GUARD_MS);
  afterAll(() => folder.remove());

  test("holds the rows, and of each filter about its share", () => {
    const rowsOf = (where: string, ...params: string[]) => nearest(data, { where, params }, [], 0).passing;
    expect(rowsOf("true")).toBe(ROWS);
    expect(rowsOf("tenant_id = ?", "small")).toBe(2);
    const tenth = rowsOf("agent_id = ?", agentOf(10));
    expect(tenth).toBeGreaterThan(0.07 * ROWS);
    expect(tenth).toBeLessThan(0.13 * ROWS);
  });

  test("tells the rows nearest to a text in order, the row of the text itself first", async () => {
    const db = new Database(join(data, "cairn.db"), { readonly: true });
    const row = db.query<{ id: string; content: string }, []>("select id, content from memories where seq = 77").get();
    db.close();
    const [own] = await hashEmbedder().embed([row?.content ?? ""], { role: "query", priority: "background" });
    const asked = [own ?? new Float32Array()];
    const ids = (count: number) => nearest(data, { where: "true", params: [] }, asked, count).of[0] ?? [];
    expect(ids(10)[0]).toBe(row?.id ?? "");
    expect(ids(10)).toEqual(ids(ROWS).slice(0, 10));
  });

  test(
    "is what two executables are compared on",
    async () => {
      const executable = join(folder.path, "cairn");
      await Bun.write(executable, `#!/bin/sh\nexec ${process.execPath} ${resolve("src/main.ts")} "$@"\n`);
      chmodSync(executable, 0o755);
      const flags = ["--folders", data, "--parts", "filters", "--embedder", "hash", "--seconds", "0.01"];
      const child = Bun.spawn([process.execPath, "scripts/bench/compare.ts", executable, executable, ...flags], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const printed = await new Response(child.stdout).text();
      expect(await child.exited).toBe(0);
      const { results } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as {
        results: { figures: { what: string; old: number; new: number }[] }[];
      };
      const found = results[0]?.figures.find(({ what }) => what.includes("small tenant") && what.includes("found"));
      // Two rows: a search that weighs neither of them is broken.
      expect(found).toMatchObject({ old: 1, new: 1 });
      expect(results[0]?.figures.length).toBeGreaterThan(20);
    },
    HANG_GUARD_MS,
  );
});
