import { readFileSync } from "node:fs";

const BYTES_PER_KIB = 1024;

/** What a process holds of memory that is no file's, in bytes: Linux tells. */
export function privateBytes(pid: number): number {
  const [, kib] = /^Anonymous:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  if (kib === undefined) throw new Error(`The system does not tell what process ${pid} holds.`);
  return Number(kib) * BYTES_PER_KIB;
}
