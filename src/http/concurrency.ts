import { AppError } from "../core/kernel/errors.ts";

/** Does work that a request asks for. Throws UNAVAILABLE where too much is in hand. */
export type RequestSlots = <T>(work: () => Promise<T>) => Promise<T>;

/** When to come back after such a refusal. */
export const RETRY_AFTER = { "Retry-After": "1" } as const;

/** Bounds what is in hand at a time: a request waits in memory, body and all, so that more of them help nobody. */
export function createRequestSlots(limit: number): RequestSlots {
  let inHand = 0;
  return async (work) => {
    if (inHand >= limit) throw tooMany(limit);
    inHand++;
    try {
      return await work();
    } finally {
      inHand--;
    }
  };
}

const tooMany = (limit: number): AppError =>
  new AppError("UNAVAILABLE", `${limit} requests are in hand, as many as may be: nothing was done. Send it again.`, {
    reason: "too_many_requests_in_hand",
    limit,
  });

/** What the transport tells of its connections. */
export interface ConnectionLoad {
  readonly limit: number;
  /** Whether there are more than may be. */
  tooMany(): boolean;
}

/** The end of the connection with it, so that there is one less. */
export const RECONNECT_AFTER = { ...RETRY_AFTER, Connection: "close" } as const;

/** The refusal of a request whose connection is one too many: 503 with Retry-After, and the connection ends. */
export const tooManyConnections = (limit: number): AppError =>
  new AppError("UNAVAILABLE", `More than ${limit} connections are open: nothing was done. Send it again.`, {
    reason: "too_many_connections",
    limit,
  });
