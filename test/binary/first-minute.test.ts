import { afterAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { ALONE, canBeAlone } from "./alone.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const ROOT = resolve(import.meta.dir, "../..");
const CAIRN = isBinary ? [join(ROOT, "dist/cairn")] : [process.execPath, join(ROOT, "src/main.ts")];

const Ran = z.object({ code: z.int(), out: z.string(), err: z.string() });
const Called = z.object({ result: z.looseObject({ isError: z.boolean().optional() }), code: z.int() });
const Minute = z.object({ setup: Ran, saved: Called, found: Called, told: Ran, stopped: Ran, unreached: z.int() });

const where = canBeAlone ? "without a network, and wanted none" : "on a machine that gives nobody a network of its own";
test(`somebody new has set up Claude, saved a first memory and found it, ${where}`, async () => {
  const home = mkdtempSync(join(folder.path, "home-"));
  const driver = [
    process.execPath,
    join(import.meta.dir, "fixtures/first-minute.ts"),
    canBeAlone ? "alone" : "shared",
    home,
    ...CAIRN,
  ];
  const child = Bun.spawn(canBeAlone ? [...ALONE, ...driver] : driver, { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ code: await child.exited, err }).toEqual({ code: 0, err: "" });
  const { setup, saved, found, told, stopped, unreached } = Minute.parse(JSON.parse(out));
  expect([setup.code, stopped.code]).toEqual([0, 0]);
  expect(unreached).toBe(0);
  expect([saved.result.isError ?? false, saved.code]).toEqual([false, 0]);
  expect([found.result.isError ?? false, found.code]).toEqual([false, 0]);
  const found_text = JSON.stringify(found.result);
  expect(found_text).toContain("Deploys go out every Tuesday");
  expect(found_text).toContain("orchard");
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toContain("Deploys go out every Tuesday");
}, 180_000);

test.skipIf(!canBeAlone).each(["http://192.0.2.7/", "http://[2001:db8::1]/", "http://somebody.example/"])(
  "there, whoever wants to reach %s is seen",
  (url) => {
    const watch = `import { unreached } from "${join(ROOT, "test/binary/alone.ts")}";
      const before = unreached();
      await fetch("${url}").catch(() => {});
      console.log(unreached() - before);`;
    const { stdout } = Bun.spawnSync([...ALONE, process.execPath, "-e", watch]);
    expect(Number(stdout.toString())).toBeGreaterThan(0);
  },
);
