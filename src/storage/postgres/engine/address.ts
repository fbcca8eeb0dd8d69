import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { readDatabaseAddress } from "../../../core/kernel/address.ts";
import { AppError } from "../../../core/kernel/errors.ts";

// What an address says, as libpq understands it, for a driver that understands less.

/** Where a server is, and how the way there is kept from others. */
export interface Destination {
  readonly host?: string[];
  readonly port?: number[];
  /** Unix socket. */
  readonly path?: string;
  readonly database?: string;
  readonly username?: string;
  readonly password?: string;
  readonly ssl: false | "prefer" | ConnectionOptions;
  /** Seconds; absent where the address does not say. */
  readonly connect_timeout?: number;
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string>>;
}

const PORT = 5432;

/** What libpq keeps to itself; anything else is a setting that the server is told. */
const OF_CLIENTS = [
  "application_name",
  "channel_binding",
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
  const [first] = hosts;
  const isSocket = first?.host.startsWith("/") === true;
  const timeout = Number(parameters.get("connect_timeout"));
  return {
    ...(first === undefined ? {} : isSocket ? { path: socketOf(first) } : placesOf(hosts)),
    ...(database === null ? {} : { database }),
    ...(user === null ? {} : { username: user }),
    ...(password === null ? {} : { password }),
    // Whoever reads a socket of this machine reads its memory as well.
    ssl: isSocket ? false : sslOf(parameters, hosts.length === 1 ? first?.host : undefined),
    ...(timeout > 0 ? { connect_timeout: timeout } : {}),
    settings: Object.fromEntries([...parameters].filter(([name]) => !OF_CLIENTS.includes(name))),
  };
}

type Hosts = NonNullable<ReturnType<typeof readDatabaseAddress>>["hosts"];

const socketOf = ({ host, port }: Hosts[number]): string => join(host, `.s.PGSQL.${port ?? PORT}`);

const placesOf = (hosts: Hosts): Pick<Destination, "host" | "port"> => ({
  host: hosts.map(({ host }) => host),
  port: hosts.map(({ port }) => port ?? PORT),
});

/**
 * `prefer` takes encryption where the server has it, `require` insists on it, `verify-ca` also on a certificate of an
 * authority that is trusted, `verify-full` on one for the host that was named; `only` is the host where there is no other.
 */
function sslOf(parameters: ReadonlyMap<string, string>, only: string | undefined): Destination["ssl"] {
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
    ...(only === undefined ? {} : { host: only }),
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
