import { signal } from "@preact/signals";

const TICK_MS = 30_000;

/** The present moment in epoch milliseconds, near enough for "3 minutes ago". */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, TICK_MS);
