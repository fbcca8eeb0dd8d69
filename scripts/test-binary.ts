// Runs the HTTP suite, the attacks and the binary's own tests against dist/cairn, building it first when it is missing.
import { existsSync } from "node:fs";

const bun = process.execPath;
const run = (command: string[], env: Record<string, string> = {}) =>
  Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } }).exitCode;

if (!existsSync("dist/cairn") && run([bun, "scripts/build.ts"]) !== 0) process.exit(1);
process.exit(
  run([bun, "test", "--timeout", "180000", "test/http", "test/binary", "test/attack"], { TARGET: "binary" }),
);
