import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { openEmbedder } from "../../src/ai/open.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { cosine, PASSAGE, QUERY } from "./contract.ts";

const TASKS = "/proc/self/task";
/** Place of the niceness among what follows a thread's name in its `stat` (proc_pid_stat(5), field 19). */
const NICENESS = 16;
const ROWS = Array.from(
  { length: 240 },
  (_, i) => `Row ${i} of an import: the ${i % 7}th supplier was paid ${i * 13} euros ${"and thanked ".repeat(i % 11)}.`,
);

/** Niceness of every thread of this process; one that has just ended has none. */
function nicenesses(): number[] {
  return readdirSync(TASKS).flatMap((id) => {
    try {
      const stat = readFileSync(`${TASKS}/${id}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[NICENESS]);
    } catch {
      return [];
    }
  });
}

describe("an import on two workers", () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = openEmbedder("onnx", { cacheDir: tmpdir() });
    await embedder.ready();
  });
  afterAll(() => embedder.close());

  test("gives each row the vector it has alone, while somebody asks", async () => {
    const work = embedder.embed(ROWS, PASSAGE);
    for (let i = 0; i < 20; i++) expect(await embedder.embed([`Who was paid ${i}?`], QUERY)).toHaveLength(1);
    const vectors = await work;
    for (const i of [0, 10, 100, 239]) {
      const [alone] = await embedder.embed([ROWS[i] ?? ""], PASSAGE);
      expect(cosine(alone, vectors[i])).toBeGreaterThan(0.9999);
    }
  });

  // Only Linux has threads of a niceness of their own, and lists them.
  test.if(platform() === "linux")("is helped by threads that give way to all others", async () => {
    await embedder.embed(ROWS, PASSAGE);
    const all = nicenesses();
    expect(Math.max(...all)).toBeGreaterThan(Math.min(...all));
  });
});
