import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../config/load.ts";
import { isLoopback } from "../../core/kernel/address.ts";
import { makeOwnFolder } from "../../core/kernel/files/own-folder.ts";
import { readPrivateFile, writePrivateFile } from "../../core/kernel/files/private-files.ts";

/** What a data folder keeps for good, and nobody but its owner reads: of it the console's port is made. */
const SECRET_FILE = "server.secret";
const SECRET = /^[0-9a-f]{64}$/;
const SECRET_BYTES = 32;

/** Above what Linux gives to those who ask for any port, and free of what browsers refuse to open. */
const [FIRST, LAST] = [61_000, 65_535];
/** How many are tried, one after the other, where others have them. */
const TRIES = 64;

/** Whether browsers have the console from a port of its own: on loopback, beside a port that somebody chose. */
export const hasOwnConsolePort = ({ host, port, console_port }: Config): boolean =>
  isLoopback(host) && (console_port === undefined ? port !== 0 : console_port !== port);

/** Whether it is known before a browser comes, so that a page that is still open finds it again after a start. */
export const isKnownConsolePort = (config: Config): boolean =>
  config.console_port !== undefined || (!config.ephemeral && secretIn(config.data) !== null);

/**
 * The ports to try for the console: the one that was named, or those that follow from the secret of the data folder, so that it
 * is the same at each start and nobody can have been there before. A folder that takes no file has one for this time.
 */
export function consolePorts(config: Config): readonly number[] {
  if (config.console_port !== undefined) return [config.console_port];
  const secret = config.ephemeral ? newSecret() : (secretIn(config.data) ?? keepSecret(config.data));
  const first = createHmac("sha256", secret).update("port of the console").digest().readUInt32BE();
  const count = LAST - FIRST + 1;
  const ports = Array.from({ length: TRIES }, (_, i) => FIRST + ((first + i) % count));
  return ports.filter((port) => port !== config.port);
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("hex");

/** Null where there is none, or one that somebody else can have read or written. */
function secretIn(folder: string): string | null {
  try {
    const secret = readPrivateFile(join(folder, SECRET_FILE), 2 * SECRET_BYTES);
    return SECRET.test(secret) ? secret : null;
  } catch {
    return null;
  }
}

function keepSecret(folder: string): string {
  const secret = newSecret();
  try {
    makeOwnFolder(folder);
    writePrivateFile(join(folder, SECRET_FILE), secret);
  } catch {
    // Then the next start has another one.
  }
  return secret;
}
