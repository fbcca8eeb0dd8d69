import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { makeOwnFolder } from "../../core/kernel/files/own-folder.ts";
import { openPrivateFile, PRIVATE_FILE } from "../../core/kernel/files/private-files.ts";
import type { Remote } from "../connect.ts";
import { isAlive } from "../server/holder.ts";
import type { Place } from "../server/local.ts";
import { answeringServer } from "../server/local.ts";

/** A server that could not be started, in its own words where it said any. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
}

/** How long a start may take, and how often it is looked at. */
const START_LIMIT_MS = 30_000;
const POLL_MS = 40;
/** Who starts a server holds this file; a start that is older has ended in the middle. */
const STARTING = "starting.lock";
/** Where a server started in the background writes what it has to say. */
export const SERVER_LOG = "server.log";
/** What it may have before it is cut. */
export const LOG_MAX_BYTES = 5_000_000;

/** How a server of a data folder, or of a database, is started. */
export interface Starter extends Place {
  /** The command line of this executable up to its own words. */
  readonly self: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The server of a data folder, started when none runs: by one of all who ask at once, the others wait for it. It goes on when
 * whoever started it has ended; `cairn stop` ends it. Throws NotStarted.
 */
export async function ensureServer(starter: Starter): Promise<Remote> {
  try {
    makeOwnFolder(starter.data);
  } catch (error) {
    throw error instanceof AppError ? new NotStarted(error.message) : error;
  }
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const found = await answering(starter);
    if (found) return found;
    if (performance.now() > deadline)
      throw new NotStarted(
        `No server of ${starter.data} has answered within ${START_LIMIT_MS / 1000} s. Look at ${logOf(starter)}.`,
      );
    const release = takeLock(join(starter.data, STARTING));
    if (release === null) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      return (await answering(starter)) ?? (await start(starter, deadline));
    } finally {
      release();
    }
  }
}

/** The announced server of a folder, if it answers. */
export async function answering(place: Place): Promise<Remote | null> {
  const server = await answeringServer(place);
  // It has proven itself just now.
  return server && { url: server.url, key: server.token, prove: async () => {} };
}

async function start(starter: Starter, deadline: number): Promise<Remote> {
  let child = launch(starter, []);
  for (let isMoved = false; performance.now() < deadline; await sleep(POLL_MS)) {
    const found = await answering(starter);
    if (found) return found;
    if (child.exitCode === null) continue;
    // Somebody else's program may have the usual port: nobody needs to know the one that is taken then.
    const said = lastLineOf(logOf(starter));
    if (isMoved || !said.includes("Choose another with --port"))
      throw new NotStarted(said || `The server ended with ${child.exitCode}.`);
    isMoved = true;
    child = launch(starter, ["--port", "0"]);
  }
  throw new NotStarted(`The server of ${starter.data} did not get ready. Look at ${logOf(starter)}.`);
}

const logOf = ({ data }: Pick<Starter, "data">): string => join(data, SERVER_LOG);

function launch({ data, self, env }: Starter, flags: readonly string[]) {
  const path = logOf({ data });
  const log = openPrivateFile(path, { empties: sizeOf(path) > LOG_MAX_BYTES });
  const child = Bun.spawn([...self, "serve", "--data", resolve(data), ...flags], {
    stdio: ["ignore", log, log],
    // Not the folder of whoever needed it first: that may be a stranger's, and the server serves all.
    cwd: resolve(data),
    env: { ...withWholePaths(env), CAIRN_WITH_PARENT: "false", CAIRN_URL: undefined },
    // Of a session of its own: what ends a harness, and all that it has started, must not end the others' memory.
    detached: true,
  });
  closeSync(log);
  child.unref();
  return child;
}

/** Variables that name a file or a folder. */
const PATHS = ["CAIRN_CONFIG", "CAIRN_CACHE", "CAIRN_MODELS", "CAIRN_SEED", "CAIRN_SKILL_REGISTER"];

/** The variables as they are meant here, for a process that begins in another folder. */
function withWholePaths(env: Starter["env"]): Starter["env"] {
  const paths = PATHS.flatMap((name) => (env[name] ? [[name, resolve(env[name])]] : []));
  return { ...env, ...Object.fromEntries(paths) };
}

/** Takes a lock file, also over from whoever left one behind. Returns its release; null while another holds it. */
function takeLock(path: string): (() => void) | null {
  try {
    const file = openSync(path, "wx", PRIVATE_FILE);
    writeSync(file, String(process.pid));
    closeSync(file);
    return () => rmSync(path, { force: true });
  } catch {
    if (isLeftBehind(path)) rmSync(path, { force: true });
    return null;
  }
}

function isLeftBehind(path: string): boolean {
  try {
    const age = systemClock.now() - statSync(path).mtimeMs;
    const pid = Number(readFileSync(path, "utf8"));
    return age > START_LIMIT_MS || (age > 1_000 && !isAlive(pid));
  } catch {
    return false;
  }
}

function lastLineOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim().split("\n").at(-1) ?? "";
  } catch {
    return "";
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
