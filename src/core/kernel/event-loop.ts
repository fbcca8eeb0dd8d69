/** Work on the thread may hold it this long, in milliseconds, before other callers are served. */
const YIELD_AFTER_MS = 5;

/** Yields to the event loop once, so that waiting requests are served. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));

/** Begins long work: call what it returns after each piece; it yields to the event loop when the thread was held long enough. */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < YIELD_AFTER_MS) return;
    await yieldToEventLoop();
    since = performance.now();
  };
}

/**
 * Maps a list as `map` of arrays does, yielding to the event loop between items.
 *
 * @example
 * const drafts = await mapCooperatively(items, (item, index) => draft(item, index))
 */
export async function mapCooperatively<T, R>(all: readonly T[], map: (one: T, index: number) => R): Promise<R[]> {
  const yieldIfDue = createYielder();
  const mapped: R[] = [];
  for (const [index, one] of all.entries()) {
    mapped.push(map(one, index));
    await yieldIfDue();
  }
  return mapped;
}

/**
 * What some work gives, or what `late` gives or throws where it is not done after so many milliseconds; the work itself goes on.
 * No timer is left behind.
 */
export async function within<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
