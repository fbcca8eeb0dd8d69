import { openSync, readSync } from "node:fs";

const NS_PER_MS = 1e6;

/** Reads how many milliseconds of processor time this thread has had; null where the system does not tell (it is Linux that does). */
export function threadTime(): (() => number) | null {
  const file = openStatistics(`/proc/self/task/${process.pid}/schedstat`);
  if (file === null) return null;
  const text = Buffer.alloc(64);
  // Its first number counts nanoseconds on a processor.
  return () => Number.parseInt(text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)), 10) / NS_PER_MS;
}

function openStatistics(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}
