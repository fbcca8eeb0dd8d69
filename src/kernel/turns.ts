/** How long a piece of long work holds the event loop before requests have their turn, in milliseconds. */
const HELD_MAX_MS = 5;

/** Lets the event loop turn once, so that requests have their turn. */
export const turn = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));

/** To be called after each piece of long work: lets requests have their turn once the work has held the event loop for long. */
export function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MAX_MS) return;
    await turn();
    since = performance.now();
  };
}

/** Maps a list as `map` of arrays does, while requests have their turn. */
export async function mapInTurns<T, R>(all: readonly T[], map: (one: T, at: number) => R): Promise<R[]> {
  const turnIfLong = turns();
  const mapped: R[] = [];
  for (const [at, one] of all.entries()) {
    mapped.push(map(one, at));
    await turnIfLong();
  }
  return mapped;
}
