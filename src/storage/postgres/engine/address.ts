import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { readDatabaseAddress } from "../../../core/kernel/address.ts";
import { AppError } from "../../../core/kernel/errors.ts";

// What an address says, as libpq understands it, for a driver that understands less.

/** Where a server is, and how the way there is kept from others. */
export interface Destination {
  /** Its name, its address, or the folder of its Unix socket; absent where the address does not say. */
  readonly host?: string;
  readonly port: number;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  readonly ssl: false | "prefer" | ConnectionOptions;
  readonly connect_timeout_ms?: number;
  /** Settings of the session, as `-c name=value`. */
  readonly options?: string;
}

const PORT = 5432;
const SECOND_MS = 1_000;

/** What libpq takes: anything else may be meant as one of these, and then would not hold. */
const KNOWN = [
  "application_name",
  "channel_binding",
  "client_encoding",
  "connect_timeout",
  "fallback_application_name",
  "gssdelegation",
  "gssencmode",
  "gsslib",
  "hostaddr",
  "keepalives",
  "keepalives_count",
  "keepalives_idle",
  "keepalives_interval",
  "krbsrvname",
  "load_balance_hosts",
  "options",
  "passfile",
  "require_auth",
  "requirepeer",
  "service",
  "sslcert",
  "sslcompression",
  "sslcrl",
  "sslkey",
  "sslmode",
  "sslnegotiation",
  "sslpassword",
  "sslrootcert",
  "sslsni",
  "target_session_attrs",
  "tcp_user_timeout",
];

/** Reads an address `postgres://...`. Throws AppError UNAVAILABLE where it is none, or names a file that cannot be read. */
export function destinationOf(url: string): Destination {
  const address = readDatabaseAddress(url);
  if (address === null) throw refused("CAIRN_DATABASE_URL is no address of a PostgreSQL database.");
  const { hosts, database, user, password, parameters } = address;
  const unknown = [...parameters.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined)
    throw refused(`CAIRN_DATABASE_URL has a parameter that libpq does not know: ${unknown.slice(0, SHOWN_MAX)}.`);
  if (hosts.length > 1)
    throw refused("CAIRN_DATABASE_URL names several hosts. Name one: a name that always leads to the primary server.");
  const [place] = hosts;
  const isSocket = place?.host.startsWith("/") === true;
  const timeout = Number(parameters.get("connect_timeout"));
  const options = parameters.get("options");
  return {
    ...(place === undefined ? {} : { host: place.host }),
    port: place?.port ?? PORT,
    ...(database === null ? {} : { database }),
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    // Whoever reads a socket of this machine reads its memory as well.
    ssl: isSocket ? false : sslOf(parameters, place?.host),
    ...(timeout > 0 ? { connect_timeout_ms: timeout * SECOND_MS } : {}),
    ...(options === undefined ? {} : { options }),
  };
}

/** Characters of a name that a message repeats. */
const SHOWN_MAX = 40;

/**
 * `prefer` takes encryption where the server has it, `require` insists on it, `verify-ca` also on a certificate of an
 * authority that is trusted, `verify-full` on one for the host that was named.
 */
function sslOf(parameters: ReadonlyMap<string, string>, host: string | undefined): Destination["ssl"] {
  const root = parameters.get("sslrootcert");
  const mode = parameters.get("sslmode") ?? (root === "system" ? "verify-full" : "prefer");
  if (mode === "disable") return false;
  if (mode === "prefer" || mode === "allow") return "prefer";
  if (mode !== "require" && mode !== "verify-ca" && mode !== "verify-full")
    throw refused(
      "The sslmode of CAIRN_DATABASE_URL is none of disable, allow, prefer, require, verify-ca, verify-full.",
    );
  const own = { ...fileOf(parameters, "sslcert", "cert"), ...fileOf(parameters, "sslkey", "key") };
  // As libpq has it: whoever names an authority wants it asked.
  if (mode === "require" && root === undefined) return { ...own, rejectUnauthorized: false };
  return {
    ...own,
    ...authorities(root),
    ...(host === undefined ? {} : { host }),
    rejectUnauthorized: true,
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** The file of authorities that is named, else the one at its usual place, else those that are built in. */
function authorities(root: string | undefined): { readonly ca?: Buffer } {
  if (root === "system") return {};
  if (root !== undefined) return { ca: read("sslrootcert", root) };
  try {
    return { ca: readFileSync(join(homedir(), ".postgresql", "root.crt")) };
  } catch {
    return {};
  }
}

function fileOf(parameters: ReadonlyMap<string, string>, parameter: string, name: "cert" | "key") {
  const path = parameters.get(parameter);
  return path === undefined ? {} : { [name]: read(parameter, path) };
}

function read(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw refused(`The file ${path}, which ${parameter} of CAIRN_DATABASE_URL names, cannot be read.`, cause);
  }
}

const refused = (message: string, cause?: unknown): AppError =>
  new AppError("UNAVAILABLE", message, { reason: "database_address" }, { cause });
