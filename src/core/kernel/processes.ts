import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Of two threads that want a processor, one of this priority gets a tenth. */
const BACKGROUND = 10;

/** Lets every other thread go before this one where processors are scarce; where a system cannot, all stays as it is. */
export function lowerThreadPriority(): void {
  try {
    // On Linux a thread has a number of its own, to which a priority may be given.
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), BACKGROUND);
  } catch {
    // Elsewhere a thread has the priority of its process.
  }
}

/** Whether a process runs, be it somebody else's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be signalled, and is there all the same.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
