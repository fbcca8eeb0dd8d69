import { dlopen } from "bun:ffi";
import { once } from "../once.ts";
import type { Endpoint } from "./endpoint.ts";
import { bytesOf } from "./endpoint.ts";
import type { SocketEntry } from "./socket-entry.ts";
import { stateOf } from "./socket-entry.ts";

/** What the kernel says of a socket, and of where its ends are. */
interface Found extends SocketEntry {
  readonly local: Endpoint;
  readonly remote: Endpoint;
}

const [AF_INET, AF_INET6, AF_NETLINK] = [2, 10, 16];
const [SOCK_DGRAM, SOCK_CLOEXEC, NETLINK_SOCK_DIAG, MSG_DONTWAIT] = [2, 0o2000000, 4, 0x40];
const [SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, NLMSG_ERROR, IPPROTO_TCP, ENOENT] = [20, 1, 2, 6, 2];
/** Bytes of nlmsghdr with inet_diag_req_v2, and of nlmsghdr with inet_diag_msg (linux/inet_diag.h). */
const [REQUEST_BYTES, REPLY_BYTES] = [72, 88];
const ANY = 0xffff_ffff;
/** The device on which this machine talks to itself, in every network namespace: a socket may be bound to it. */
const LOOPBACK_DEVICE = 1;

type Ask = (from: Endpoint, to: Endpoint) => Found | "none" | null;

/**
 * Asks the kernel (sock_diag(7), some 20 microseconds) for the socket at `from` to which packets from `to` go: that of the
 * connection, else whichever would take it, so that whoever asks has to look at what was found. Null where this process may
 * not ask; an answer of null is none either.
 */
export const askKernel = once((): Ask | null => {
  if (process.platform !== "linux") return null;
  try {
    const { symbols } = dlopen("libc.so.6", {
      socket: { args: ["i32", "i32", "i32"], returns: "i32" },
      send: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
      recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    });
    const socket = symbols.socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (socket < 0) return null;
    const reply = new Uint8Array(512);
    return (from, to) => {
      const sent = symbols.send(socket, requestFor(from, to), REQUEST_BYTES, 0);
      if (Number(sent) !== REQUEST_BYTES) return null;
      // The kernel has answered by the time that the question is sent.
      return readReply(new DataView(reply.buffer), Number(symbols.recv(socket, reply, reply.length, MSG_DONTWAIT)));
    };
  } catch {
    return null; // Another C library.
  }
});

function requestFor(from: Endpoint, to: Endpoint): Uint8Array {
  const bytes = new Uint8Array(REQUEST_BYTES);
  const view = new DataView(bytes.buffer);
  const [source, target] = [bytesOf(from.address), bytesOf(to.address)];
  view.setUint32(0, REQUEST_BYTES, true);
  view.setUint16(4, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(6, NLM_F_REQUEST, true);
  view.setUint8(16, source.length === 4 ? AF_INET : AF_INET6);
  view.setUint8(17, IPPROTO_TCP);
  view.setUint32(20, ANY, true);
  view.setUint16(24, from.port);
  view.setUint16(26, to.port);
  bytes.set(source, 28);
  bytes.set(target, 44);
  view.setUint32(60, LOOPBACK_DEVICE, true);
  view.setUint32(64, ANY, true);
  view.setUint32(68, ANY, true);
  return bytes;
}

function readReply(view: DataView, length: number): Found | "none" | null {
  if (length < 20) return null;
  const type = view.getUint16(4, true);
  if (type === NLMSG_ERROR) return view.getInt32(16, true) === -ENOENT ? "none" : null;
  if (type !== SOCK_DIAG_BY_FAMILY || length < REPLY_BYTES) return null;
  const addressAt = (offset: number): string => {
    if (view.getUint8(16) === AF_INET) return [0, 1, 2, 3].map((i) => view.getUint8(offset + i)).join(".");
    return [0, 2, 4, 6, 8, 10, 12, 14].map((i) => view.getUint16(offset + i).toString(16)).join(":");
  };
  return {
    uid: view.getUint32(80, true),
    inode: view.getUint32(84, true),
    state: stateOf(view.getUint8(17)),
    local: { address: addressAt(24), port: view.getUint16(20) },
    remote: { address: addressAt(40), port: view.getUint16(22) },
  };
}
