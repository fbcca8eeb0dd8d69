import { readlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { lowerThreadPriority } from "../../src/core/kernel/processes.ts";

declare const self: Worker;

/** Tells which priority its thread has once it yields. */
self.onmessage = () => {
  lowerThreadPriority();
  self.postMessage(getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1))));
};
