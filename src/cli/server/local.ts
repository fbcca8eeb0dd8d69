import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeOwnFolder } from "../../core/kernel/files/own-folder.ts";
import { isOurs, isOwn, readPrivateFile, writePrivateFile } from "../../core/kernel/files/private-files.ts";
import { isAlive, isOwnProcess } from "./holder.ts";
import { proveServer } from "./prove-server.ts";

/** Where a running server says how it is reached; only its owner may read it. */
const SERVER_FILE = "server.json";
const SERVER_FILE_MAX_BYTES = 16_384;

const RunningServer = z.object({
  url: z.string(),
  pid: z.int(),
  token: z.string(),
  /** The database that keeps its data, as messages name it; absent where the folder keeps it. */
  database: z.string().optional(),
});
export type RunningServer = z.infer<typeof RunningServer>;

/** Whose data a command is after. */
export interface Place {
  /** Folder of the data, or of no more than what a server says of itself. */
  readonly data: string;
  /** The database that keeps the data, as messages name it; null where the folder keeps it. */
  readonly database: string | null;
}

/**
 * Leaves the address and the local token of this server in its data folder. Returns the removal. A folder that takes no
 * file just then keeps nobody from serving, nor from stopping: then the command line does not find the server. Nor does it
 * find one of a database while one of the folder itself is there.
 */
export function announceServer({ data, database }: Place, server: Omit<RunningServer, "database">): () => void {
  const path = join(data, SERVER_FILE);
  const present = runningServer({ data, database: null });
  if (database !== null && present && present.database === undefined && isAlive(present.pid)) return () => {};
  const text = JSON.stringify(database === null ? server : { ...server, database });
  const isWritten = isDone(() => {
    makeOwnFolder(data);
    writePrivateFile(path, text);
  });
  if (!isWritten) return () => {};
  return () => {
    // Another process on the same database may have announced itself since.
    if (runningServer({ data, database })?.token === server.token) isDone(() => rmSync(path, { force: true }));
  };
}

function isDone(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

/**
 * The server of a folder, as it announced itself; null when none did, or not legibly, or in a file that somebody else can have
 * written or read. Whether it is still what answers there, `proveServer` tells. Whoever names a database finds none of
 * another; whoever names none finds any.
 */
export function runningServer({ data, database }: Place, isMine = isOurs): RunningServer | null {
  try {
    const text = readPrivateFile(join(data, SERVER_FILE), SERVER_FILE_MAX_BYTES, isMine);
    const server = RunningServer.parse(JSON.parse(text));
    return database === null || server.database === database ? server : null;
  } catch {
    return null;
  }
}

/**
 * Whether a server is this very account's, be it root: it announced itself in a file of this account, and its process is one. In
 * the folder of somebody else root would end whatever process that one names.
 */
export const isOwnServer = (place: Place, { token, pid }: RunningServer): boolean =>
  runningServer(place, isOwn)?.token === token && isOwnProcess(pid);

/** How long a server that is announced may take to answer at all. */
const ANSWERS_WITHIN_MS = 2_000;

/** The same, if it answers and proves that it is that server. */
export async function answeringServer(place: Place): Promise<RunningServer | null> {
  const server = runningServer(place);
  if (!server || !isAlive(server.pid)) return null;
  try {
    await proveServer(server, ANSWERS_WITHIN_MS);
    return server;
  } catch {
    return null;
  }
}
