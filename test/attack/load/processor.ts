const ROUNDS = 4;

/** The processor's time of the quickest of a few runs of a work, in microseconds, whatever else runs on the machine. */
export function processorTime(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}
