import { dlopen } from "bun:ffi";
import { once } from "./once.ts";

/**
 * Collects what this thread no longer uses, at once, and gives back what native libraries have freed. A thread that waits
 * collects nothing by itself. It takes the thread some ten milliseconds: for quiet moments.
 */
export function releaseHeap(): void {
  Bun.gc(true);
  trimNative()();
}

/** The system's C library keeps what was freed, for later; only glibc does, and lets itself be asked. */
const trimNative = once((): (() => void) => {
  if (process.platform !== "linux") return () => {};
  try {
    const { symbols } = dlopen("libc.so.6", { malloc_trim: { args: ["usize"], returns: "i32" } });
    return () => {
      symbols.malloc_trim(0);
    };
  } catch {
    return () => {}; // Another C library, which gives back by itself.
  }
});
