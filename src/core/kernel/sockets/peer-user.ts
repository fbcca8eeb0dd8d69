import type { Endpoint } from "./endpoint.ts";
import { isSameEnd } from "./endpoint.ts";
import { askKernel } from "./sock-diag.ts";
import type { SocketEntry } from "./socket-entry.ts";
import { readSockets, tableNames } from "./socket-table.ts";

/** Whose the other end of a connection is: an account of this machine; `gone` where it was closed; `unknown` where the system does not tell. */
export type PeerUser = { readonly uid: number } | "gone" | "unknown";

/**
 * The account that holds the peer's end of a connection within this machine. Only Linux tells: the kernel is asked about the one
 * socket, or where a sandbox refuses that, its table of sockets is read.
 */
export function peerUser(peer: Endpoint, own: Endpoint): PeerUser {
  if (process.platform !== "linux") return "unknown";
  const told = askKernel()?.(peer, own) ?? null;
  if (told === null) return peerInTable(peer, own);
  // Where the connection is gone the kernel tells of whatever would take it: a program that listens at the peer's port.
  return told !== "none" && isSameEnd(told.local, peer) && isSameEnd(told.remote, own) ? holderOf(told) : "gone";
}

/** The same by the table. */
export function peerInTable(peer: Endpoint, own: Endpoint): PeerUser {
  const table = readSockets();
  if (table === "unknown") return "unknown";
  const [local, remote] = [tableNames(peer), tableNames(own)];
  const found = table?.find((entry) => local.includes(entry.local) && remote.includes(entry.remote));
  return found ? holderOf(found) : "gone";
}

/**
 * A socket that no process holds any more has no inode, and the account 0. One that listens, or that only asks for a connection
 * with ends that another one had before, sent nothing of this one.
 */
const holderOf = ({ uid, inode, state }: SocketEntry): PeerUser =>
  inode === 0 || state !== "connected" ? "gone" : { uid };
