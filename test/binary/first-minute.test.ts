import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isBinary, temporaryFolder } from "../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const ROOT = resolve(import.meta.dir, "../..");
const CAIRN = isBinary ? [join(ROOT, "dist/cairn")] : [process.execPath, join(ROOT, "src/main.ts")];

/** A network of its own with nothing but loopback in it, where the machine lets anybody have one. */
const ALONE = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const isAlone = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, "true"]).exitCode === 0;

const Ran = z.object({ code: z.int(), out: z.string(), err: z.string() });
const Called = z.object({ result: z.looseObject({ isError: z.boolean().optional() }), code: z.int() });
const Minute = z.object({ setup: Ran, saved: Called, found: Called, told: Ran, stopped: Ran });

test("somebody new has set up Claude, saved a first memory and found it, without a network", async () => {
  const home = join(folder.path, "home");
  mkdirSync(home);
  const driver = [process.execPath, join(import.meta.dir, "fixtures/first-minute.ts"), home, ...CAIRN];
  const child = Bun.spawn(isAlone ? [...ALONE, ...driver] : driver, { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ code: await child.exited, err }).toEqual({ code: 0, err: "" });
  const { setup, saved, found, told, stopped } = Minute.parse(JSON.parse(out));
  expect([setup.code, stopped.code]).toEqual([0, 0]);
  expect([saved.result.isError ?? false, saved.code]).toEqual([false, 0]);
  expect([found.result.isError ?? false, found.code]).toEqual([false, 0]);
  const found_text = JSON.stringify(found.result);
  expect(found_text).toContain("Deploys go out every Tuesday");
  expect(found_text).toContain("orchard");
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toContain("Deploys go out every Tuesday");
}, 180_000);
