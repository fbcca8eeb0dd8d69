/** Waits until it is the turn of one more of a caller's requests; undefined where it is at once. */
export type TakeTurn = (caller: string) => Promise<void> | undefined;

/** Requests may hold the thread this long, in milliseconds, before it is looked who else has come. */
const HELD_MAX_MS = 5;
/** Requests that begin between two looks, at most. */
const AT_ONCE_MAX = 32;

/**
 * Who begins next, where more is asked for than is done at once: callers in turn, so that one with a single request waits for a
 * few of the others', not for all that one of them has sent. Nobody waits while the thread is free; else requests begin a few
 * at a time, as many as hold the thread for some milliseconds, and in between those who came meanwhile are looked at.
 */
export function createTurns(): TakeTurn {
  /** In the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let heldSince: number | null = null;
  let atOnce = 1;

  const begin = (): void => {
    const [next] = waiting;
    if (next === undefined) return;
    const [caller, [first, ...others]] = next;
    waiting.delete(caller);
    if (others.length > 0) waiting.set(caller, others);
    first?.();
  };
  const look = (): void => {
    if (heldSince !== null && waiting.size > 0) {
      const held = performance.now() - heldSince;
      atOnce = held > HELD_MAX_MS ? Math.max(1, atOnce >> 1) : Math.min(AT_ONCE_MAX, atOnce << 1);
    }
    if (waiting.size === 0) {
      heldSince = null;
      atOnce = 1;
      return;
    }
    heldSince = performance.now();
    for (let i = 0; i < atOnce; i++) begin();
    setImmediate(look);
  };
  return (caller) => {
    if (heldSince === null) {
      heldSince = performance.now();
      setImmediate(look);
    }
    if (waiting.size === 0 && performance.now() - heldSince < HELD_MAX_MS) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = waiting.get(caller);
    if (queue) queue.push(resolve);
    else waiting.set(caller, [resolve]);
    return promise;
  };
}
