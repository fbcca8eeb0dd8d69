import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { aFolder, cleanUp, runToEnd, spawnServer } from "../server.ts";

afterAll(cleanUp);

const isLinux = process.platform === "linux";

for (const command of ["check", "rebuild"]) {
  test(`${command} on a folder that a process has which cannot be called names that process`, async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder });
    // As with another command at work: it has the lock, and nobody can call it.
    rmSync(join(folder, "server.json"));
    const { stdout, stderr, code } = await runToEnd([command, "--embedder=hash", `--data=${folder}`]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
    expect(stderr).toContain(`Another Cairn is already using ${folder}`);
    if (isLinux) expect(stderr).toMatch(new RegExp(`It is process ${server.pid} \\(.*main\\.ts`));
    await server.terminate();
  });
}
