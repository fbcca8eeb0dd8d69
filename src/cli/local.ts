import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PRIVATE_FILE } from "../core/kernel/private-files.ts";

/** Where a running server says how it is reached; only its owner may read it. */
const SERVER_FILE = "server.json";

const RunningServer = z.object({ url: z.string(), pid: z.int(), token: z.string() });
export type RunningServer = z.infer<typeof RunningServer>;

/**
 * Leaves the address and the local token of this server in its data folder. Returns the removal. A folder that takes no
 * file just then keeps nobody from serving, nor from stopping: then the command line does not find the server.
 */
export function announceServer(folder: string, server: RunningServer): () => void {
  const path = join(folder, SERVER_FILE);
  if (!isDone(() => writePrivately(path, JSON.stringify(server)))) return () => {};
  return () => void isDone(() => rmSync(path, { force: true }));
}

function writePrivately(path: string, text: string): void {
  writeFileSync(path, text, { mode: PRIVATE_FILE });
  chmodSync(path, PRIVATE_FILE);
}

function isDone(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

/** The server that uses a data folder, as it announced itself; null when none did, or not legibly. */
export function runningServer(folder: string): RunningServer | null {
  try {
    return RunningServer.parse(JSON.parse(readFileSync(join(folder, SERVER_FILE), "utf8")));
  } catch {
    return null;
  }
}
