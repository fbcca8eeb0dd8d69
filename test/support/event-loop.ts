/** How often the event loop turned while something was done. */
export async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setTimeout(count, 0);
  };
  let timer = setTimeout(count, 0);
  await act();
  clearTimeout(timer);
  return turns;
}

/** Keeps the thread busy. */
export function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
