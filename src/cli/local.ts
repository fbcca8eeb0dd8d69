import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Where a running server says how it is reached; only its owner may read it. */
const SERVER_FILE = "server.json";

const RunningServer = z.object({ url: z.string(), pid: z.int(), token: z.string() });
export type RunningServer = z.infer<typeof RunningServer>;

/** Leaves the address and the local token of this server in its data folder. Returns the removal. */
export function announceServer(folder: string, server: RunningServer): () => void {
  const path = join(folder, SERVER_FILE);
  writeFileSync(path, JSON.stringify(server), { mode: 0o600 });
  chmodSync(path, 0o600);
  return () => rmSync(path, { force: true });
}

/** The server that uses a data folder, as it announced itself; null when none did, or not legibly. */
export function runningServer(folder: string): RunningServer | null {
  try {
    return RunningServer.parse(JSON.parse(readFileSync(join(folder, SERVER_FILE), "utf8")));
  } catch {
    return null;
  }
}
