import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isOwnAccount } from "../account.ts";
import { isLoopback } from "../address.ts";
import type { Endpoint } from "./endpoint.ts";
import { bytesOf } from "./endpoint.ts";
import { listeningUsers } from "./listening-users.ts";

/** Accounts of the system, which root makes for services (login.defs), and those that systemd lends to them (DynamicUser). */
const OF_SERVICES = [
  { first: 0, last: 999 },
  { first: 61_184, last: 65_519 },
] as const;

/** No program listens where an address of this machine leads. */
export const NOBODY = Symbol("nobody");

/**
 * Another person's account of this machine that listens where an address leads, as messages name it: whoever is first may take
 * a port, also one at which somebody else's server was. NOBODY where no program does: one that comes a moment later is not the one
 * that was asked about. Null where this account, root or one of the system does, where the address is of another machine, and
 * where the system does not tell.
 */
export function strangerAt(url: string): string | typeof NOBODY | null {
  let isHeld = false;
  const places = placesOf(url);
  for (const place of places) {
    const users = listeningUsers(place);
    const stranger = users === "unknown" ? undefined : users.find((uid) => !isTrusted(uid));
    if (stranger !== undefined) return accountNamed(stranger);
    isHeld ||= users === "unknown" || users.length > 0;
  }
  return isHeld || places.length === 0 ? null : NOBODY;
}

const isTrusted = (uid: number): boolean =>
  isOwnAccount(uid) || OF_SERVICES.some(({ first, last }) => uid >= first && uid <= last);

const USUAL_PORT: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** The places of this machine to which an address leads. */
function placesOf(url: string): Endpoint[] {
  const read = URL.parse(url);
  if (read === null) return [];
  const { hostname, port, protocol } = read;
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const addresses = isIP(host) === 0 ? addressesOf(host) : [TAKEN_FOR[host] ?? host];
  return addresses
    .filter(isOfThisMachine)
    .map((address) => ({ address, port: Number(port || USUAL_PORT[protocol] || 0) }));
}

/** Systems take "any address" for the machine itself. */
const TAKEN_FOR: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The addresses that a name stands for without a question to the network. */
const addressesOf = (name: string): string[] =>
  /(?:^|\.)localhost$/.test(name) ? ["127.0.0.1", "::1", ...inHosts(name)] : inHosts(name);

function inHosts(name: string): string[] {
  return linesOf("/etc/hosts").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return names.includes(name) && isIP(address) !== 0 ? [address] : [];
  });
}

function isOfThisMachine(address: string): boolean {
  const bytes = bytesOf(address);
  const plain = bytes.length === 4 ? bytes.join(".") : address;
  if (isLoopback(plain)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === plain));
}

/** An account by its name where it has one, else by its number. */
function accountNamed(uid: number): string {
  const line = linesOf("/etc/passwd").find((one) => one.split(":")[2] === String(uid));
  const name = line?.split(":")[0];
  return name ? `${name} (${uid})` : `number ${uid}`;
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
