import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { compile } from "../../scripts/build/compile.ts";
import { openEmbedder } from "../../src/ai/open.ts";

const TEXT = "Which city did Maria move to?";
const BUILD_LIMIT_MS = 120_000;

const Report = z.object({
  version: z.string(),
  extension: z.string(),
  state: z.object({ phase: z.string() }),
  vector: z.array(z.number()),
});

// Builds an executable of 160 MB, so only when the suite is aimed at executables.
describe.skipIf(process.env.TARGET !== "binary")("models and native libraries in an executable", () => {
  let folder: string;
  let executable: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cairn-binary-"));
    const entry = join(import.meta.dir, "fixtures/runtime-probe.ts");
    executable = await compile({ entry, outfile: join(folder, "probe") });
  }, BUILD_LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the executable in an empty folder it may not write to, with an empty environment. */
  async function probe(cacheDir: string) {
    const cwd = mkdtempSync(join(folder, "cwd-"));
    chmodSync(cwd, 0o555);
    const child = Bun.spawn([executable, cacheDir, TEXT], { cwd, env: {}, stdout: "pipe", stderr: "pipe" });
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    expect({ errors, code, left: readdirSync(cwd) }).toEqual({ errors: "", code: 0, left: [] });
    return Report.parse(JSON.parse(output));
  }

  test("give the same vectors as from source", async () => {
    const embedder = openEmbedder("onnx", { cacheDir: tmpdir() });
    const [vector] = await embedder.embed([TEXT], { role: "query", priority: "interactive" });
    await embedder.close();
    const report = await probe(join(folder, "cache"));
    expect(report.version).toStartWith("v0.1");
    expect(report.vector).toEqual(Array.from(vector ?? []));
  });

  test("are unpacked once, whole, by processes that start together", async () => {
    const cache = join(folder, "together");
    const reports = await Promise.all([probe(cache), probe(cache), probe(cache)]);
    expect(reports.map(({ state }) => state.phase)).toEqual(["ready", "ready", "ready"]);
    const names = readdirSync(cache, { recursive: true }).map(String);
    expect(names.filter((name) => /[0-9a-f]{8}-[0-9a-f]{4}/.test(name))).toEqual([]);
  });

  test("are unpacked again when damaged", async () => {
    const cache = join(folder, "damaged");
    await probe(cache);
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    const sizes = paths.map((path) => statSync(path).size);
    for (const path of paths) truncateSync(path, 100);
    expect((await probe(cache)).state.phase).toBe("ready");
    expect(paths.map((path) => statSync(path).size)).toEqual(sizes);
  });

  test("are unpacked elsewhere when the cache folder cannot be written", async () => {
    const cache = join(folder, "a-file");
    await Bun.write(cache, "in the way");
    const report = await probe(cache);
    expect(report.state.phase).toBe("ready");
    expect(report.extension).not.toStartWith(cache);
  });

  test("leave only native libraries on disk: models are read from the executable", async () => {
    const cache = join(folder, "contents");
    mkdirSync(cache);
    await probe(cache);
    const names = readdirSync(cache, { recursive: true }).map(String);
    // Beside the libraries lies what was found of their hashes.
    expect(names.filter((name) => /onnx$|(?<!verified\.)json$/.test(name))).toEqual([]);
  });
});
