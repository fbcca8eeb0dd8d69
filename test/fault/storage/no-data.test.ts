import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { aFolder, CAIRN, cleanUp, runToEnd } from "../server.ts";

afterAll(cleanUp);

test.each(["check", "rebuild"])("cairn %s of a folder without data says so, and makes none", async (command) => {
  const folder = join(aFolder(), "mistyped");
  const { code, stderr } = await runToEnd([command, `--data=${folder}`, "--embedder=hash"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`There is no data of Cairn in ${folder}`);
  expect(existsSync(folder)).toBe(false);
});

test("what is printed into a pipe that nobody reads any more ends without a fault", () => {
  const script = `${CAIRN.join(" ")} licenses | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = Bun.spawnSync(["bash", "-c", script]);
  expect([stdout.toString().trim(), stderr.toString()]).toEqual(["0", ""]);
});
