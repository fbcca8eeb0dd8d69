/** What the socket allows is wider than what the interface does, so that each refusal comes in the envelope. */
export const TRANSPORT = {
  maxRequestBodySize: 2 ** 40,
  // Longer than any request may take.
  idleTimeout: 60,
  // Else a second server would silently share the port.
  reusePort: false,
  development: false,
} as const;

/** Stops accepting and lets what runs finish; whoever has not even sent its request by then is cut off. */
export async function stopListening(socket: Bun.Server<unknown>): Promise<void> {
  const cutOff = setTimeout(() => void socket.stop(true), FINISH_LIMIT_MS);
  await socket.stop();
  clearTimeout(cutOff);
}

/** Shorter than the patience of those who stop containers, so that the rest of the shutdown has its time too. */
const FINISH_LIMIT_MS = 5_000;
