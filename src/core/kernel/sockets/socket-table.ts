import { readFileSync } from "node:fs";
import type { Endpoint } from "./endpoint.ts";
import { bytesOf } from "./endpoint.ts";
import type { SocketEntry } from "./socket-entry.ts";
import { stateOf } from "./socket-entry.ts";

/** A line of the kernel's table of sockets; ends as `tableName` writes them. */
interface TableEntry extends SocketEntry {
  readonly local: string;
  readonly remote: string;
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * All TCP sockets of this machine, for where the kernel may not be asked about one. `unknown` where the system has no such
 * table; null where it cannot be read just now, which must not be taken for that.
 */
export function readSockets(): readonly TableEntry[] | "unknown" | null {
  try {
    return TABLES.flatMap((path) => entriesIn(path));
  } catch (error) {
    return isMissing(error) ? "unknown" : null;
  }
}

function entriesIn(path: string): TableEntry[] {
  const lines = textOf(path).split("\n").slice(1);
  return lines.map((line) => {
    const [, local = "", remote = "", state = "", , , , uid, , inode] = line.trim().split(/\s+/);
    return { local, remote, uid: Number(uid), inode: Number(inode), state: stateOf(Number.parseInt(state, 16)) };
  });
}

/** A machine without IPv6 has no table of it. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (path !== TABLES[0] && isMissing(error)) return "";
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");

/** An end as a socket of its own family has it in the table, and for IPv4 as one of IPv6 has it. */
export function tableNames({ address, port }: Endpoint): readonly string[] {
  const bytes = bytesOf(address);
  if (bytes.length === 16) return [tableName(bytes, port)];
  return [bytes, Uint8Array.from([...new Uint8Array(10), 255, 255, ...bytes])].map((one) => tableName(one, port));
}

/** An end as the table writes it: words of four bytes, each backwards, in hexadecimal. */
export function tableName(bytes: Uint8Array, port: number): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => [...bytes.slice(4 * i, 4 * i + 4)].reverse());
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
  return `${words
    .flat()
    .map((byte) => hex(byte, 2))
    .join("")}:${hex(port, 4)}`;
}
