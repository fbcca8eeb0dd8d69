import { chmodSync, chownSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aFolder, CAIRN } from "../../fault/server.ts";

/** Whoever runs Cairn, and a neighbour on the same machine: users of nobody. */
export const [VICTIM, NEIGHBOUR] = [65_534, 65_533];

/** A command line as another user runs it. */
export const as = (user: number, words: readonly string[]): string[] => [
  ...["setpriv", "--reuid", String(user), "--regid", String(user), "--clear-groups"],
  ...words,
];

/** Whether another user can be had here, and may run this program. */
export const hasUsers =
  process.geteuid?.() === 0 &&
  Bun.which("setpriv") !== null &&
  Bun.spawnSync(as(VICTIM, [...CAIRN, "version"]), { cwd: tmpdir(), env: { HOME: tmpdir(), PATH: process.env.PATH } })
    .exitCode === 0;

/** A folder of a user, that `cleanUp` removes. */
export function folderOf(user: number, mode = 0o700): string {
  const folder = aFolder();
  chmodSync(folder, mode);
  chownSync(folder, user, user);
  return folder;
}

/** What a command of the victim says on both outputs, and how it ends; null where it goes on. */
export function run(
  home: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = home,
) {
  const { stdout, stderr, exitCode } = Bun.spawnSync(as(VICTIM, [...CAIRN, ...words]), {
    cwd,
    stdin: "ignore",
    timeout: 20_000,
    env: {
      HOME: home,
      PATH: process.env.PATH,
      CAIRN_EMBEDDER: "hash",
      CAIRN_PORT: "0",
      CAIRN_CACHE: join(home, "cache"),
      ...env,
    },
  });
  return { out: stdout.toString() + stderr.toString(), stdout: stdout.toString(), code: exitCode };
}
