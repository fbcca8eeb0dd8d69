import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { once } from "./once.ts";

/** One end of a TCP connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Whose the other end of a connection is: an account of this machine; `gone` where it was closed; `unknown` where the system does not tell. */
export type PeerUser = { readonly uid: number } | "gone" | "unknown";

/**
 * The account that holds the peer's end of a connection within this machine. Only Linux tells: the kernel is asked about the one
 * socket (sock_diag(7), some 20 microseconds), or where a sandbox refuses that, its table of sockets is read.
 */
export function peerUser(peer: Endpoint, own: Endpoint): PeerUser {
  if (process.platform !== "linux") return "unknown";
  return askKernel()?.(peer, own) ?? readTable(peer, own);
}

const [AF_INET, AF_INET6, AF_NETLINK] = [2, 10, 16];
const [SOCK_DGRAM, SOCK_CLOEXEC, NETLINK_SOCK_DIAG, MSG_DONTWAIT] = [2, 0o2000000, 4, 0x40];
const [SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, NLMSG_ERROR, IPPROTO_TCP, ENOENT] = [20, 1, 2, 6, 2];
/** Bytes of nlmsghdr with inet_diag_req_v2, and of nlmsghdr with inet_diag_msg (linux/inet_diag.h). */
const [REQUEST_BYTES, REPLY_BYTES] = [72, 88];
const ANY = 0xffff_ffff;

type Ask = (peer: Endpoint, own: Endpoint) => PeerUser | null;

/** Null where this process may not ask; an answer of null is none either. */
const askKernel = once((): Ask | null => {
  try {
    const { symbols } = dlopen("libc.so.6", {
      socket: { args: ["i32", "i32", "i32"], returns: "i32" },
      send: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
      recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    });
    const socket = symbols.socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (socket < 0) return null;
    const reply = new Uint8Array(512);
    return (peer, own) => {
      const sent = symbols.send(socket, requestFor(peer, own), REQUEST_BYTES, 0);
      if (Number(sent) !== REQUEST_BYTES) return null;
      // The kernel has answered by the time that the question is sent.
      return readReply(new DataView(reply.buffer), Number(symbols.recv(socket, reply, reply.length, MSG_DONTWAIT)));
    };
  } catch {
    return null; // Another C library.
  }
});

function requestFor(peer: Endpoint, own: Endpoint): Uint8Array {
  const bytes = new Uint8Array(REQUEST_BYTES);
  const view = new DataView(bytes.buffer);
  const [from, to] = [bytesOf(peer.address), bytesOf(own.address)];
  view.setUint32(0, REQUEST_BYTES, true);
  view.setUint16(4, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(6, NLM_F_REQUEST, true);
  view.setUint8(16, from.length === 4 ? AF_INET : AF_INET6);
  view.setUint8(17, IPPROTO_TCP);
  view.setUint32(20, ANY, true);
  view.setUint16(24, peer.port);
  view.setUint16(26, own.port);
  bytes.set(from, 28);
  bytes.set(to, 44);
  view.setUint32(64, ANY, true);
  view.setUint32(68, ANY, true);
  return bytes;
}

function readReply(view: DataView, length: number): PeerUser | null {
  if (length < 20) return null;
  const type = view.getUint16(4, true);
  if (type === NLMSG_ERROR) return view.getInt32(16, true) === -ENOENT ? "gone" : null;
  if (type !== SOCK_DIAG_BY_FAMILY || length < REPLY_BYTES) return null;
  return owned(view.getUint32(80, true), view.getUint32(84, true));
}

/** A socket that no process holds any more has no inode, and the account 0. */
const owned = (uid: number, inode: number): PeerUser => (inode === 0 ? "gone" : { uid });

/** An address in the order of the network: IPv4 within IPv6 is IPv4. */
function bytesOf(address: string): Uint8Array {
  const plain = address.replace(/^::ffff:/i, "");
  if (isIP(plain) === 4) return Uint8Array.from(plain.split(".").map(Number));
  const [head = "", tail] = plain.split("::");
  const words = (part: string | undefined) => (part ? part.split(":").map((word) => Number.parseInt(word, 16)) : []);
  const [before, after] = [words(head), words(tail)];
  const all = tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 255]));
}

const TABLES = { 4: "/proc/net/tcp", 16: "/proc/net/tcp6" } as const;

function readTable(peer: Endpoint, own: Endpoint): PeerUser {
  const [from, to] = [peer, own].map(({ address, port }) => tableName(bytesOf(address), port));
  try {
    const text = readFileSync(TABLES[bytesOf(peer.address).length === 4 ? 4 : 16], "latin1");
    for (const line of text.split("\n").slice(1)) {
      const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
      if (local === from && remote === to) return owned(Number(uid), Number(inode));
    }
    return "gone";
  } catch (error) {
    // A system without the table tells nothing, ever; one that only cannot tell now must not be taken for it.
    return isMissing(error) ? "unknown" : "gone";
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");

/** An end as the table writes it: words of four bytes, each backwards, in hexadecimal. */
function tableName(bytes: Uint8Array, port: number): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => [...bytes.slice(4 * i, 4 * i + 4)].reverse());
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");
  return `${words
    .flat()
    .map((byte) => hex(byte, 2))
    .join("")}:${hex(port, 4)}`;
}
