import { afterAll, expect, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { JUDGE_MODEL } from "../../../src/ai/open.ts";
import { aSoundFolder } from "../doctor.ts";
import { aFolder, cleanUp } from "../server.ts";

afterAll(cleanUp);

const ROOT = resolve(import.meta.dir, "../../..");
const ONNX = join("onnx", "model_quantized.onnx");

const Report = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ section: z.string(), check: z.string(), state: z.string(), what: z.string() })),
});

/** A Cairn with models of its own, which a test may spoil. */
function aCairn(spoil: (models: string) => void): string {
  const root = aFolder();
  for (const name of ["src", "models", "package.json", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  spoil(join(root, "models"));
  return join(root, "src", "main.ts");
}

async function examine(program: string) {
  const folder = await aSoundFolder();
  const child = Bun.spawn([process.execPath, program, "doctor", "--json", `--data=${folder}`], {
    stdout: "pipe",
    stderr: "pipe",
    env: { HOME: aFolder(), PATH: process.env.PATH ?? "", CAIRN_PORT: "0", XDG_CONFIG_HOME: "/nonexistent" },
  });
  const [stdout, code] = [await new Response(child.stdout).text(), await child.exited];
  const { findings } = Report.parse(JSON.parse(stdout));
  const bad = findings.filter(({ state }) => state === "fault" || state === "unseen");
  return {
    code,
    bad: bad.map(({ section, check }) => `${section}, ${check}`),
    said: bad.map(({ what }) => what).join("\n"),
  };
}

test("a model of which one byte is another is found by its checksum", async () => {
  const program = aCairn((models) => writeFileSync(join(models, JUDGE_MODEL, "config.json"), "{}"));
  const { code, bad, said } = await examine(program);
  expect(code).toBe(1);
  expect(bad).toContain("models, files");
  expect(said).toContain(join(JUDGE_MODEL, "config.json"));
});

test("an embedder that cannot load is found, and so is what fails without it", async () => {
  const program = aCairn((models) => truncateSync(join(models, "multilingual-e5-notes-v1", ONNX), 1_000_000));
  const { code, bad } = await examine(program);
  expect(code).toBe(1);
  expect(bad).toEqual(expect.arrayContaining(["models, files", "models, embedder", "round, find by meaning"]));
});

test("a judge that cannot load is found", async () => {
  const program = aCairn((models) => truncateSync(join(models, JUDGE_MODEL, ONNX), 100_000));
  const { code, bad } = await examine(program);
  expect(code).toBe(1);
  expect(bad).toEqual(["models, files", "models, judge"]);
});

test("an embedder with other weights is found by what it makes of known texts", async () => {
  const program = aCairn((models) => {
    const path = join(models, "multilingual-e5-notes-v1", ONNX);
    const network = readFileSync(path);
    // In the midst of its weights, which may be any numbers.
    network.fill(0, network.length >> 1, (network.length >> 1) + (1 << 20));
    writeFileSync(path, network);
  });
  const { code, bad } = await examine(program);
  expect(code).toBe(1);
  expect(bad).toEqual(expect.arrayContaining(["models, files", "models, self-test"]));
});
