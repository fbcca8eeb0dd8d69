/** Requests have their turn after the piece of long work that ends so many milliseconds, or more, behind their last one. */
const TURN_AFTER_MS = 5;

/** Lets the event loop turn once, so that requests have their turn. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));

/** Begins long work. What it returns is called after each piece, and lets requests have their turn when that is due. */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_AFTER_MS) return;
    await yieldToEventLoop();
    since = performance.now();
  };
}

/** Maps a list as `map` of arrays does, while requests have their turn. */
export async function mapCooperatively<T, R>(all: readonly T[], map: (one: T, index: number) => R): Promise<R[]> {
  const turnIfLong = createYielder();
  const mapped: R[] = [];
  for (const [index, one] of all.entries()) {
    mapped.push(map(one, index));
    await turnIfLong();
  }
  return mapped;
}
