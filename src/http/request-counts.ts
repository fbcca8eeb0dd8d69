import type { Clock } from "../core/kernel/clock.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { rounded } from "../core/kernel/text.ts";
import type { RequestCounts, RequestKind } from "../core/ports/observing/request-counts.ts";
import type { RequestBucket } from "../core/schema/observing/activity.ts";
import type { Metrics } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import type { RateKind } from "./rate-limits.ts";

const MINUTE_MS = 60_000;

/** Counts of requests by the minute for an hour, and by ten minutes for a day. */
export function createRequestCounts(clock: Clock): RequestCounts {
  const hour = createRing(MINUTE_MS, 60);
  const day = createRing(10 * MINUTE_MS, 144);
  return {
    count: (kind, took_ms) => {
      const now = clock.now();
      hour.count(now, kind, took_ms);
      day.count(now, kind, took_ms);
    },
    figures: () => ({ last_hour: hour.upTo(clock.now()), last_day: day.upTo(clock.now()) }),
  };
}

/** The kind of each rate: what counts against one budget is one kind of request. */
const KINDS: Readonly<Record<RateKind, RequestKind>> = {
  read: "reads",
  search: "searches",
  write: "writes",
  bulk: "writes",
};

/** Whoever looks at the figures does not change them. */
export const UNCOUNTED_TAG = "Activity";

/** Counts answered requests by the names of their operations; of what is no operation, only what failed. */
export function counting(counts: RequestCounts, operations: readonly Operation[]): Metrics["observe"] {
  const kinds = new Map(
    operations.filter(({ tag }) => tag !== UNCOUNTED_TAG).map(({ id, rate = "read" }) => [id, KINDS[rate]]),
  );
  return (operation, status, seconds) => {
    const kind = status >= 400 ? "failed" : kinds.get(operation);
    if (kind !== undefined) counts.count(kind, seconds * 1_000);
  };
}

/** Counts of one span of time. */
interface Slot extends Record<RequestKind, number> {
  /** When it begins, in epoch milliseconds. */
  at: number;
  search_ms: number;
}

const emptySlot = (at: number): Slot => ({ at, writes: 0, searches: 0, reads: 0, failed: 0, search_ms: 0 });

/** The newest `size` spans of `width` milliseconds each: a slot is taken again when its time is over. */
function createRing(width: number, size: number) {
  const slots: (Slot | undefined)[] = [];
  const beginOf = (now: number): number => Math.floor(now / width) * width;
  return {
    count: (now: number, kind: RequestKind, took_ms: number): void => {
      const at = beginOf(now);
      const place = (at / width) % size;
      let slot = slots[place];
      if (slot?.at !== at) {
        slot = emptySlot(at);
        slots[place] = slot;
      }
      slot[kind]++;
      if (kind === "searches") slot.search_ms += took_ms;
    },
    upTo: (now: number): RequestBucket[] =>
      Array.from({ length: size }, (_, i) => {
        const at = beginOf(now) - (size - 1 - i) * width;
        const slot = slots[(at / width) % size];
        return toBucket(slot?.at === at ? slot : emptySlot(at));
      }),
  };
}

const toBucket = ({ at, search_ms, ...counts }: Slot): RequestBucket => ({
  at: toTimestamp(at),
  ...counts,
  search_ms: counts.searches === 0 ? null : rounded(search_ms / counts.searches, 1),
});
