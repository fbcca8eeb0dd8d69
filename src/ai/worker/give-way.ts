import { dlopen } from "bun:ffi";

/** A thread of the usual niceness beside it gets about three times as much of a processor (sched(7)). */
const NICER = 5;

/** Lets other threads go first from now on; those that this one starts do likewise. Threads have a niceness on Linux alone. */
export function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    dlopen("libc.so.6", { nice: { args: ["i32"], returns: "i32" } }).symbols.nice(NICER);
  } catch {
    // Another C library: it then shares the processors like the others.
  }
}
