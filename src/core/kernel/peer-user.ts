import type { Endpoint } from "./sockets/endpoint.ts";
import type { SocketEntry } from "./sockets/sock-diag.ts";
import { askKernel } from "./sockets/sock-diag.ts";
import { readSockets, tableName } from "./sockets/socket-table.ts";

/** Whose the other end of a connection is: an account of this machine; `gone` where it was closed; `unknown` where the system does not tell. */
export type PeerUser = { readonly uid: number } | "gone" | "unknown";

/**
 * The account that holds the peer's end of a connection within this machine. Only Linux tells: the kernel is asked about the one
 * socket, or where a sandbox refuses that, its table of sockets is read.
 */
export function peerUser(peer: Endpoint, own: Endpoint): PeerUser {
  if (process.platform !== "linux") return "unknown";
  const told = askKernel()?.(peer, own) ?? null;
  if (told !== null) return told === "none" ? "gone" : owned(told);
  const table = readSockets();
  if (table === "unknown") return "unknown";
  const [local, remote] = [tableName(peer), tableName(own)];
  const found = table?.find((entry) => entry.local === local && entry.remote === remote);
  return found ? owned(found) : "gone";
}

/** A socket that no process holds any more has no inode, and the account 0; one that listens is not that connection's. */
const owned = ({ uid, inode, isListening }: SocketEntry): PeerUser => (inode === 0 || isListening ? "gone" : { uid });
