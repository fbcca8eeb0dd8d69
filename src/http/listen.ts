import type { Server } from "./server.ts";

/** What the socket allows is wider than what the interface does, so that each refusal comes in the envelope. */
const TRANSPORT = {
  maxRequestBodySize: 2 ** 40,
  // Longer than any request may take.
  idleTimeout: 60,
  // Else a second server would silently share the port.
  reusePort: false,
  development: false,
} as const;

/** Shorter than the patience of those who stop containers, so that the rest of the shutdown has its time too. */
const FINISH_LIMIT_MS = 5_000;

export interface Address {
  readonly hostname: string;
  /** 0 for a free one. */
  readonly port: number;
}

/**
 * Listens; returns the port. Throws when the address is taken. Elysia's own way compiles twice, reloads the socket and
 * collects garbage right after: 20 ms of every start.
 */
export function listenAt(server: Server, { hostname, port }: Address): number {
  const socket = Bun.serve({ ...TRANSPORT, hostname, port, fetch: server.fetch });
  server.server = socket;
  return socket.port ?? port;
}

/** Stops accepting and lets what runs finish; whoever has not even sent its request by then is cut off. */
export async function stopListening({ server: socket }: Server): Promise<void> {
  if (!socket) return;
  const cutOff = setTimeout(() => void socket.stop(true), FINISH_LIMIT_MS);
  await socket.stop();
  clearTimeout(cutOff);
}
