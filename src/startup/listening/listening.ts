import type { Config } from "../../config/load.ts";
import { listeningAddress, urlOf } from "../../core/kernel/address.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { ConsolePort } from "../../http/own-origin/own-origin.ts";
import type { Server } from "../../http/server.ts";
import { BACKGROUND_JOBS_DELAY_MS } from "../background-jobs.ts";
import type { Connections } from "../open-connections.ts";
import { consolePorts, hasOwnConsolePort, isKnownConsolePort } from "./console-ports.ts";
import { stopListening, TRANSPORT } from "./transport.ts";

/** A browser that is led to the console's port is there long before. */
const COMES_WITHIN_MS = 1_500;

/** The sockets of a server: that of programs, and once a browser came, that of the console. */
export interface Listening {
  /** Null where the console stands where programs call. */
  readonly consolePort: ConsolePort | null;
  /** Throws where the address is taken. */
  start(server: Server): { readonly url: string; readonly port: number };
  /** Stops accepting, and lets what runs finish. */
  stop(): Promise<void>;
}

/** What a configuration has a server listen on; nothing yet. */
export function createListening(config: Config, connections: Pick<Connections, "watch">): Listening {
  const hostname = listeningAddress(config.host);
  const sockets: Bun.Server<unknown>[] = [];
  let server: Server | null = null;
  let own: number | null = null;
  /** When a browser was first led to the console's port, by the time of the process. */
  let ledAt: number | null = null;
  let isReached = false;
  let endWatch = () => {};
  let reopening: ReturnType<typeof setTimeout> | undefined;
  const port = () => server?.server?.port ?? config.port;
  const url = () => urlOf(config.host, port());
  const ports = () => sockets.flatMap((socket) => (socket.port === undefined ? [] : [socket.port]));
  const closeIdleConnections = () => sockets.reduce((closed, socket) => closed + socket.closeIdleConnections(), 0);

  function openOwn(): number {
    const ports = consolePorts(config);
    for (const port of ports) {
      try {
        const socket = server?.listenAlso({ ...TRANSPORT, hostname, port });
        if (socket?.port === undefined) break;
        sockets.push(socket);
        return socket.port;
      } catch {
        // Somebody else has it.
      }
    }
    const message = `The console's port ${ports[0]} cannot be had: another program listens there. Choose one with --console-port.`;
    throw new AppError("UNAVAILABLE", message);
  }
  const consolePort: ConsolePort = {
    open: () => {
      own ??= openOwn();
      return own;
    },
    opened: () => own,
    programs: url,
    led: () => {
      ledAt ??= performance.now();
    },
    reached: () => {
      isReached = true;
    },
    isMissed: () => !isReached && ledAt !== null && performance.now() - ledAt > COMES_WITHIN_MS,
  };

  /** A page of the console that is still open in a browser finds it again. */
  function reopen(): void {
    try {
      if (isKnownConsolePort(config)) consolePort.open();
    } catch {
      // Whoever comes by the address of programs is told.
    }
  }

  const isOwn = hasOwnConsolePort(config);
  return {
    consolePort: isOwn ? consolePort : null,
    start: (serving) => {
      serving.listen({ hostname, port: config.port, ...TRANSPORT });
      server = serving;
      if (serving.server) sockets.push(serving.server);
      endWatch = connections.watch({ closeIdleConnections, ports });
      if (isOwn) reopening = setTimeout(reopen, BACKGROUND_JOBS_DELAY_MS);
      return { port: port(), url: url() };
    },
    stop: async () => {
      clearTimeout(reopening);
      endWatch();
      server = null;
      await Promise.all(sockets.map(stopListening));
    },
  };
}
