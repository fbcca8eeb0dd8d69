import { AppError } from "../core/kernel/errors.ts";

/** Does work that a caller's request asks for. Throws UNAVAILABLE where too much is in hand, or too much of its own. */
export type RequestSlots = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/** When to come back after such a refusal. */
export const RETRY_AFTER = { "Retry-After": "1" } as const;

/**
 * Bounds what is in hand at a time: a request waits in memory, body and all, so that more of them help nobody. One caller has
 * no more in hand than is left to all others, so that none can take it all: alone it has half, beside another one a third.
 */
export function createRequestSlots(limit: number): RequestSlots {
  const inHand = new Map<string, number>();
  let all = 0;
  return async (caller, work) => {
    const own = inHand.get(caller) ?? 0;
    if (all >= limit) throw tooMany(limit);
    if (own >= limit - all) throw tooManyOfOne(own);
    all++;
    inHand.set(caller, own + 1);
    try {
      return await work();
    } finally {
      all--;
      const left = (inHand.get(caller) ?? 1) - 1;
      if (left > 0) inHand.set(caller, left);
      else inHand.delete(caller);
    }
  };
}

const tooManyOfOne = (own: number): AppError =>
  new AppError(
    "UNAVAILABLE",
    `This caller has ${own} requests in hand, as many as are left to all others: nothing was done. Send it again.`,
    { reason: "too_many_requests_of_one_caller", in_hand: own },
  );

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
