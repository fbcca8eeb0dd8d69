import { dlopen, ptr } from "bun:ffi";

// Sockets of IPv4 on 127.0.0.1 as the system has them: each step by itself, with the options that Bun does not know.

const [AF_INET, SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC] = [2, 1, 0o4000, 0o2000000];
/** Levels and names of options (linux/socket.h, linux/tcp.h). */
export const REUSE_ADDRESS = [1, 2] as const;
export const LINGER_2 = [6, 8] as const;

const calls = () =>
  dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    send: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  }).symbols;

const addressOf = (port: number): Uint8Array => {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint16(0, AF_INET, true);
  new DataView(bytes.buffer).setUint16(2, port);
  bytes.set([127, 0, 0, 1], 4);
  return bytes;
};

/** A socket, and what can be done with it; each step is done at once, or refused. */
export function rawSocket({ waits }: { readonly waits: boolean }) {
  const libc = calls();
  const socket = libc.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
  const isDone = (result: number | bigint) => Number(result) >= 0;
  return {
    set: ([level, name]: readonly [number, number], value: number) =>
      isDone(libc.setsockopt(socket, level, name, ptr(Int32Array.of(value)), 4)),
    bind: (port: number) => isDone(libc.bind(socket, addressOf(port), 16)),
    listen: (backlog: number) => isDone(libc.listen(socket, backlog)),
    connect: (port: number) => isDone(libc.connect(socket, addressOf(port), 16)),
    send: (text: string) => isDone(libc.send(socket, Buffer.from(text), Buffer.byteLength(text), 0)),
    close: () => isDone(libc.close(socket)),
    /** The port that it has. */
    port: () => {
      const bytes = new Uint8Array(16);
      libc.getsockname(socket, bytes, ptr(Int32Array.of(16)));
      return new DataView(bytes.buffer).getUint16(2);
    },
  };
}
