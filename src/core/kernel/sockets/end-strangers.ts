import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { once } from "../once.ts";
import type { Endpoint } from "./endpoint.ts";
import { peerUser } from "./peer-user.ts";

const [AF_INET, AF_INET6, SHUT_RDWR] = [2, 10, 2];
/** Bytes of the longest socket address. */
const ADDRESS_BYTES = 128;
const DESCRIPTORS = "/proc/self/fd";
const ROOT = 0;

interface Ends {
  /** Both ends of the connection that a descriptor stands for; null where it stands for none. */
  of(descriptor: number): { readonly peer: Endpoint; readonly own: Endpoint } | null;
  end(descriptor: number): void;
}

/** Null where this C library, or system, is another one. */
const openEnds = once((): Ends | null => {
  if (process.platform !== "linux") return null;
  try {
    const name = { args: ["i32", "ptr", "ptr"], returns: "i32" } as const;
    const { symbols } = dlopen("libc.so.6", {
      getpeername: name,
      getsockname: name,
      shutdown: { args: ["i32", "i32"], returns: "i32" },
    });
    const bytes = new Uint8Array(ADDRESS_BYTES);
    const told = (ask: typeof symbols.getpeername, descriptor: number): Endpoint | null => {
      const failed = ask(descriptor, bytes, new Uint32Array([ADDRESS_BYTES]));
      return failed === 0 ? endpointIn(new DataView(bytes.buffer)) : null;
    };
    return {
      of: (descriptor) => {
        const peer = told(symbols.getpeername, descriptor);
        const own = peer && told(symbols.getsockname, descriptor);
        return own ? { peer, own } : null;
      },
      end: (descriptor) => void symbols.shutdown(descriptor, SHUT_RDWR),
    };
  } catch {
    return null;
  }
});

function endpointIn(view: DataView): Endpoint | null {
  const family = view.getUint16(0, true);
  const port = view.getUint16(2);
  if (family === AF_INET) return { port, address: [4, 5, 6, 7].map((at) => view.getUint8(at)).join(".") };
  if (family !== AF_INET6) return null;
  const words = [8, 10, 12, 14, 16, 18, 20, 22].map((at) => view.getUint16(at).toString(16));
  return { port, address: words.join(":") };
}

/**
 * Ends connections to some of our ports that other accounts of this machine hold, at most so many: those of this account and of
 * root stay, and those of which nobody tells. The descriptors stay with whoever has them, who learns of it as of any end.
 * Returns how many were ended.
 */
export function endStrangers(ports: readonly number[], atMost: number): number {
  const ends = openEnds();
  if (ends === null) return 0;
  let ended = 0;
  for (const name of readdirSync(DESCRIPTORS)) {
    const connection = ends.of(Number(name));
    if (connection === null || !ports.includes(connection.own.port)) continue;
    const user = peerUser(connection.peer, connection.own);
    if (user === "gone" || user === "unknown" || user.uid === process.getuid?.() || user.uid === ROOT) continue;
    ends.end(Number(name));
    if (++ended === atMost) break;
  }
  return ended;
}
