import { dlopen } from "bun:ffi";
import { once } from "../once.ts";
import type { Endpoint } from "./endpoint.ts";
import { bytesOf } from "./endpoint.ts";

/** What the kernel says of a socket. */
export interface SocketEntry {
  readonly uid: number;
  /** 0 where no process holds it any more. */
  readonly inode: number;
  readonly isListening: boolean;
}

const [AF_INET, AF_INET6, AF_NETLINK] = [2, 10, 16];
const [SOCK_DGRAM, SOCK_CLOEXEC, NETLINK_SOCK_DIAG, MSG_DONTWAIT] = [2, 0o2000000, 4, 0x40];
const [SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, NLMSG_ERROR, IPPROTO_TCP, ENOENT] = [20, 1, 2, 6, 2];
/** Bytes of nlmsghdr with inet_diag_req_v2, and of nlmsghdr with inet_diag_msg (linux/inet_diag.h). */
const [REQUEST_BYTES, REPLY_BYTES] = [72, 88];
const ANY = 0xffff_ffff;
const LISTENING = 10;
/** The device on which this machine talks to itself, in every network namespace: a socket may be bound to it. */
const LOOPBACK_DEVICE = 1;

type Ask = (from: Endpoint, to: Endpoint) => SocketEntry | "none" | null;

/**
 * Asks the kernel (sock_diag(7), some 20 microseconds) for the socket at `from` to which packets from `to` go: that of the
 * connection, else that which would take it. Null where this process may not ask; an answer of null is none either.
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

function readReply(view: DataView, length: number): SocketEntry | "none" | null {
  if (length < 20) return null;
  const type = view.getUint16(4, true);
  if (type === NLMSG_ERROR) return view.getInt32(16, true) === -ENOENT ? "none" : null;
  if (type !== SOCK_DIAG_BY_FAMILY || length < REPLY_BYTES) return null;
  return {
    uid: view.getUint32(80, true),
    inode: view.getUint32(84, true),
    isListening: view.getUint8(17) === LISTENING,
  };
}
