import { hostInUrl, isLoopback } from "../../core/kernel/address.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { isPage, OWN_SITES } from "../guard/guard.ts";
import type { Answer } from "../reply.ts";
import type { Call, Socket } from "../request.ts";
import { targetOf } from "../request.ts";
import { leadPage } from "./lead-page.ts";

/** The port from which browsers have the console where another one is for programs. */
export interface ConsolePort {
  /** Opens it unless it is open. Throws UNAVAILABLE where it is taken. */
  open(): number;
  /** Null while it is closed. */
  opened(): number | null;
  /** The address that programs call. */
  programs(): string;
  /** A browser is led there. */
  led(): void;
  /** Somebody has come. */
  reached(): void;
  /** Whether a browser was led there a while ago, and nobody has ever come: there is no way there from where it is. */
  isMissed(): boolean;
}

/** Whether a request arrived at the console's port. */
const isOfConsole = (port: ConsolePort, server: Socket | null): boolean =>
  server?.port !== undefined && server.port === port.opened();

/** The port of an address that names none. */
const HTTP_PORT = 80;

/** Known to those alone who were led here, so that no page can look which port is the console's. */
const PROBE = `/api/v1/health?probe=${crypto.randomUUID()}`;

/** Of an address that is a number, Chromium takes no other port for the same site. */
const PROBED = { "Cross-Origin-Resource-Policy": "cross-origin" };

/** Where programs call, for a console that does not stand there itself; null where it does. */
export const programsOf = (port: ConsolePort | null | undefined, call: Call): string | null =>
  port && isOfConsole(port, call.server) ? port.programs() : null;

/**
 * Answers the page that leads here and looks first whether this port can be reached. Throws HOST_NOT_ALLOWED for a call to
 * the console's port by another name or number: there, its address alone is its own.
 */
export function atConsolePort(port: ConsolePort | null | undefined, { request, server }: Call): Answer | null {
  if (!port || !isOfConsole(port, server)) return null;
  const { name, number } = hostOf(request);
  if (!isLoopback(name) || Number(number || HTTP_PORT) !== server?.port)
    throw new AppError("HOST_NOT_ALLOWED", `The console answers at its own address alone, with port ${port.open()}.`);
  const { pathname, search } = targetOf(request);
  port.reached();
  const isProbe = request.headers.get("sec-fetch-site") === "same-site" && `${pathname}${search}` === PROBE;
  return isProbe ? { status: 204, body: null, headers: PROBED } : null;
}

/**
 * What listened at the address of programs before may have left a service worker there: it speaks with all the rights of
 * that address, and nothing that a browser sends tells it from a page of ours. So a browser that opens something there is
 * led to the console's own port; what is asked from there is refused. Programs, names of proxies, and pages of other origins
 * that were allowed go on. Null lets through. Throws ORIGIN_NOT_ALLOWED.
 */
export function towardsConsole(port: ConsolePort | null | undefined, { request, server }: Call): Answer | null {
  const site = request.headers.get("sec-fetch-site");
  if (!port || site === null || !server?.port || isOfConsole(port, server)) return null;
  if (!isLoopback(hostOf(request).name)) return null;
  if (opensTab(request)) return lead(port, request, server);
  if (!OWN_SITES.has(site)) return null;
  throw new AppError(
    "ORIGIN_NOT_ALLOWED",
    `What a browser asks for comes from the console's own address. Open ${originOf(server, port.open())}/ instead.`,
  );
}

/** Whether a browser opens something in a tab; what a worker lets through of that no longer says what for. */
const opensTab = ({ method, headers }: Request): boolean =>
  method === "GET" && headers.get("sec-fetch-mode") === "navigate" && TABS.has(headers.get("sec-fetch-dest") ?? "");
const TABS: ReadonlySet<string> = new Set(["document", "empty"]);

/**
 * Sends a browser on. Where those before never came, it comes through a tunnel that lacks the other port, and would only say
 * that nobody answers there: a page then looks for itself, and says what to do.
 */
function lead(port: ConsolePort, request: Request, server: Socket): Answer {
  const { pathname, search } = targetOf(request);
  const ports = { programs: server.port ?? 0, console: port.open() };
  const [origin, target] = [originOf(server, ports.console), `${pathname}${search}`];
  if (isPage(pathname) && port.isMissed()) return leadPage({ origin, target, probe: PROBE, ports });
  port.led();
  return { status: 307, body: null, headers: { Location: `${origin}${target}` } };
}

const originOf = ({ hostname = "" }: Socket, port: number): string => `http://${hostInUrl(hostname)}:${port}`;

function hostOf({ headers }: Request): { name: string; number: string } {
  const [, name = "", number = ""] = /^(.*?)(?::(\d+))?$/.exec(headers.get("host") ?? "") ?? [];
  return { name: name.toLowerCase(), number };
}
