import type { Endpoint } from "./endpoint.ts";
import { bytesOf, isAnyAddress, isSameEnd } from "./endpoint.ts";
import { askKernel } from "./sock-diag.ts";
import { readSockets, tableName, tableNames } from "./socket-table.ts";

/** A port that no connection comes from. */
const NO_PORT = 0;

/**
 * The accounts whose sockets take a connection to an address and port of this machine; none where no socket does. `unknown`
 * where the system does not tell. The kernel says which of several takes it; all that share a port are of one account.
 */
export function listeningUsers(place: Endpoint): readonly number[] | "unknown" {
  if (process.platform !== "linux") return "unknown";
  const told = askKernel()?.(place, { ...place, port: NO_PORT }) ?? null;
  if (told === null) return usersInTable(place);
  if (told === "none" || told.state !== "listening") return [];
  const takesAny = told.local.port === place.port && isAnyAddress(told.local);
  return takesAny || isSameEnd(told.local, place) ? [told.uid] : [];
}

/** The same by the table: the socket of the very address goes before one of any address, of IPv4 before one of both. */
export function usersInTable(place: Endpoint): readonly number[] | "unknown" {
  const table = readSockets();
  if (table === null || table === "unknown") return "unknown";
  const listening = table.filter(({ state }) => state === "listening");
  for (const names of namesFor(place)) {
    const users = listening.filter(({ local }) => names.includes(local)).map(({ uid }) => uid);
    if (users.length > 0) return users;
  }
  return [];
}

function namesFor(place: Endpoint): readonly (readonly string[])[] {
  const lengths = bytesOf(place.address).length === 16 ? [16] : [4, 16];
  return [tableNames(place), ...lengths.map((length) => [tableName(new Uint8Array(length), place.port)])];
}
