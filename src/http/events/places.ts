import { AppError } from "../../core/kernel/errors.ts";

/** Streams that may be open at a time: of the process, and of one credential or address. */
export const STREAMS = { server: 64, caller: 8 } as const;

/** When to come back after such a refusal. */
export const STREAM_RETRY_AFTER = { "Retry-After": "10" } as const;

/** Takes a place for a stream of a caller and returns how to give it back. Throws RATE_LIMITED or UNAVAILABLE. */
export type TakePlace = (caller: string) => () => void;

/** Bounds the streams that are open at a time: each lasts long, and holds a connection and timers. */
export function createStreamPlaces(): TakePlace {
  const ofCaller = new Map<string, number>();
  let all = 0;
  return (caller) => {
    const own = ofCaller.get(caller) ?? 0;
    if (own >= STREAMS.caller) throw tooManyOfCaller();
    if (all >= STREAMS.server) throw tooManyOfAll();
    all++;
    ofCaller.set(caller, own + 1);
    return () => {
      all--;
      const left = (ofCaller.get(caller) ?? 0) - 1;
      if (left > 0) ofCaller.set(caller, left);
      else ofCaller.delete(caller);
    };
  };
}

const tooManyOfCaller = (): AppError =>
  new AppError("RATE_LIMITED", `This caller has ${STREAMS.caller} streams open, as many as may be. Close one first.`, {
    reason: "too_many_streams_of_caller",
    limit: STREAMS.caller,
  });

const tooManyOfAll = (): AppError =>
  new AppError("UNAVAILABLE", `${STREAMS.server} streams are open, as many as may be. Try again later.`, {
    reason: "too_many_streams",
    limit: STREAMS.server,
  });
