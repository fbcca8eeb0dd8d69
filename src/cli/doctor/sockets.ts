import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The other end of a connection that a process opened. */
export interface Outbound {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

const TABLES = ["tcp", "tcp6", "udp", "udp6"] as const;
const LISTENS = "0A";

interface Socket extends Outbound {
  readonly local_port: number;
  readonly state: string;
  readonly inode: string;
}

/** The connections that a process opened itself, by what Linux knows of it. Throws where that cannot be read. */
export function outboundOf(pid: number): Outbound[] {
  const inodes = socketsOf(pid);
  const own = TABLES.flatMap((protocol) => readTable(pid, protocol)).filter(({ inode }) => inodes.has(inode));
  const listening = new Set(own.filter(({ state }) => state === LISTENS).map(({ local_port }) => local_port));
  return own
    .filter(({ state, port, local_port }) => state !== LISTENS && port !== 0 && !listening.has(local_port))
    .map(({ protocol, address, port }) => ({ protocol, address, port }));
}

function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return ""; // Closed in the meantime.
    }
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

function readTable(pid: number, protocol: (typeof TABLES)[number]): Socket[] {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/net/${protocol}`, "utf8");
  } catch (error) {
    // Without the newer protocol there is no table of it.
    if (protocol.endsWith("6")) return [];
    throw error;
  }
  return text
    .split("\n")
    .slice(1)
    .flatMap((line) => parseSocket(line, protocol) ?? []);
}

/** A line of such a table: `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode`. */
export function parseSocket(line: string, protocol: string): Socket | null {
  const [, local = "", remote = "", state = "", , , , , , inode = ""] = line.trim().split(/\s+/);
  const [local_port, port] = [local, remote].map((end) => Number.parseInt(end.split(":")[1] ?? "", 16));
  if (inode === "" || local_port === undefined || port === undefined || Number.isNaN(port)) return null;
  return { protocol, address: addressOf(remote.split(":")[0] ?? ""), port, local_port, state, inode };
}

const BYTES_OF_V4 = 4;

/** An address as the kernel writes it: words of four bytes, the last byte of each first. */
function addressOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const ordered = words.flatMap((word) =>
    (word.match(/../g) ?? []).toReversed().map((pair) => Number.parseInt(pair, 16)),
  );
  if (ordered.length === BYTES_OF_V4) return ordered.join(".");
  if (isMapped(ordered)) return ordered.slice(-BYTES_OF_V4).join(".");
  const groups = ordered.flatMap((byte, i) =>
    i % 2 === 0 ? [((byte << 8) | (ordered[i + 1] ?? 0)).toString(16)] : [],
  );
  return groups
    .join(":")
    .replace(/\b(?:0:){2,}/, ":")
    .replace(/^:(?!:)/, "::");
}

/** An address of the older protocol, written in the newer one. */
const isMapped = (bytes: readonly number[]): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
