import type { Endpoint } from "./endpoint.ts";
import { bytesOf } from "./endpoint.ts";
import { askKernel } from "./sock-diag.ts";
import { readSockets, tableName } from "./socket-table.ts";

/** A port that no connection comes from. */
const NO_PORT = 0;

/**
 * The accounts whose sockets take a connection to an address and port of this machine; none where no socket does. `unknown`
 * where the system does not tell. The kernel says which of several takes it; all that share a port are of one account.
 */
export function listeningUsers(place: Endpoint): readonly number[] | "unknown" {
  if (process.platform !== "linux") return "unknown";
  const told = askKernel()?.(place, { ...place, port: NO_PORT }) ?? null;
  return told === null ? usersInTable(place) : told === "none" || !told.isListening ? [] : [told.uid];
}

/** The same by the table: the socket of the very address goes before one of any address, of IPv4 before one of both. */
export function usersInTable(place: Endpoint): readonly number[] | "unknown" {
  const table = readSockets();
  if (table === null || table === "unknown") return "unknown";
  const listening = table.filter(({ isListening }) => isListening);
  for (const names of namesFor(place)) {
    const users = listening.filter(({ local }) => names.includes(local)).map(({ uid }) => uid);
    if (users.length > 0) return users;
  }
  return [];
}

function namesFor(place: Endpoint): readonly (readonly string[])[] {
  const bytes = bytesOf(place.address);
  const any = (length: number) => [tableName(place, new Uint8Array(length))];
  if (bytes.length === 16) return [[tableName(place)], any(16)];
  const mapped = Uint8Array.from([...new Uint8Array(10), 255, 255, ...bytes]);
  return [[tableName(place), tableName(place, mapped)], any(4), any(16)];
}
