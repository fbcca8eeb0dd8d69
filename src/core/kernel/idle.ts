/** How often it is looked at what the process has done. */
const LOOK_MS = 5_000;
/** Less than this share of a processor is quiet. */
const QUIET_SHARE = 0.05;
/** What a collection frees is in part freed by the next one only. */
const ROUNDS = 2;

/** Processor time of the whole process, all its threads, in milliseconds. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Calls back in the quiet after some work, at each of the first looks that see nothing done; returns how to end it. */
export function onIdle(rest: () => void, { lookMs = LOOK_MS, worked = processorTime } = {}): () => void {
  let seen = worked();
  let roundsLeft = ROUNDS;
  const timer = setInterval(() => {
    const now = worked();
    const isQuiet = now - seen < lookMs * QUIET_SHARE;
    seen = now;
    const isDue = isQuiet && roundsLeft > 0;
    roundsLeft = isQuiet ? Math.max(0, roundsLeft - 1) : ROUNDS;
    if (isDue) rest();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
