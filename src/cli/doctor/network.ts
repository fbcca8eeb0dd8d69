import type { Status } from "../../core/schema/system.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import type { Outbound } from "./sockets.ts";
import { outboundOf } from "./sockets.ts";

/** An address that the owner told Cairn to call. */
export interface Endpoint {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "redis:": 6379, "rediss:": 6379 };

/** The addresses of a configuration that lead elsewhere, with whatever is secret in them left out. */
export function endpointsOf(urls: Readonly<Record<string, string | undefined>>): Endpoint[] {
  return Object.entries(urls).flatMap(([name, url]) => {
    const parsed = url === undefined ? null : URL.parse(url);
    return parsed ? [{ name, host: parsed.hostname, port: Number(parsed.port || PORTS[parsed.protocol] || 0) }] : [];
  });
}

/** Looks at a process again and again while something goes on; what it had open at any of these times is told. */
export interface Watch {
  /** Stops looking. */
  end(): void;
  findings(endpoints: readonly Endpoint[], status: Status | null): DoctorFinding[];
}

const PAUSE_MS = 50;

/** Watches a process from now on. `pid` is null for one on another machine. */
export function watchNetwork(pid: number | null): Watch {
  const seen = new Map<string, Outbound>();
  let looks = 0;
  let failure: string | null = null;
  const look = () => {
    if (pid === null || failure !== null) return;
    try {
      for (const socket of outboundOf(pid)) seen.set(`${socket.protocol} ${socket.address} ${socket.port}`, socket);
      looks++;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  };
  look();
  const timer = setInterval(look, PAUSE_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      look();
    },
    findings: (endpoints, status) => [
      ...endpoints.map(({ name, host, port }) =>
        about("network", "configured").note(`You configured ${name}: ${host}, port ${port}. Cairn calls it.`),
      ),
      ...judge({ pid, looks, failure, found: [...seen.values()] }, endpoints, status),
    ],
  };
}

interface Looked {
  readonly pid: number | null;
  readonly looks: number;
  readonly failure: string | null;
  readonly found: readonly Outbound[];
}

function judge(
  { pid, looks, failure, found }: Looked,
  endpoints: readonly Endpoint[],
  status: Status | null,
): DoctorFinding[] {
  const say = about("network", "outbound");
  if (pid === null)
    return [say.unseen("The server runs elsewhere: its sockets cannot be seen from here.", "cairn doctor, there")];
  if (failure !== null) {
    return [
      say.unseen(
        `What process ${pid} has open cannot be seen on this system (${failure}).`,
        `lsof -nP -a -p ${pid} -i`,
      ),
    ];
  }
  const strange = found.filter(({ port }) => !endpoints.some((endpoint) => endpoint.port === port));
  if (strange.length === 0) return [say.well(`process ${pid} opened no connection of its own in ${looks} looks`)];
  return strange.map(({ protocol, address, port }) => {
    const what = `Process ${pid} has a ${protocol} connection to ${address}, port ${port}.`;
    // A server may have been told of them by flags that this command does not see.
    const isConfigured = status !== null && (status.llm.configured || status.dependencies.redis !== "not configured");
    if (isConfigured)
      return say.note(`${what} The server was told to use a language model or a Redis: it may be that.`);
    return say.fault(what, {
      why: "Cairn sends nothing anywhere unless you configured it.",
      repair: `lsof -nP -a -p ${pid} -i`,
    });
  });
}
