import { useEffect, useRef } from "preact/hooks";
import type { Topic } from "./live.ts";
import { onChange } from "./live.ts";

/** How often something is asked for again. */
export interface Pace {
  /** So long it is not asked again, however much changes. */
  readonly least_ms: number;
  /** After so long it is asked again although nothing was told; left out, only changes count. */
  readonly most_ms?: number;
}

interface Asked {
  readonly loading: boolean;
  reload(): void;
}

/** Asks again after a change of the topics: the first at once, those that follow soon after it together. */
export function usePace({ loading, reload }: Asked, topics: readonly Topic[], { least_ms, most_ms }: Pace): void {
  const isBusy = useRef(loading);
  isBusy.current = loading;
  useEffect(() => {
    let last = performance.now();
    let waiting: ReturnType<typeof setTimeout> | null = null;
    const run = () => {
      // Asked again now, a slow reply would be given up and never come.
      waiting = isBusy.current ? setTimeout(run, least_ms) : null;
      if (waiting !== null) return;
      last = performance.now();
      reload();
    };
    const end = onChange(topics, () => {
      waiting ??= setTimeout(run, Math.max(0, last + least_ms - performance.now()));
    });
    const again =
      most_ms === undefined ? null : setInterval(() => document.hidden || waiting !== null || run(), most_ms);
    return () => {
      end();
      if (waiting !== null) clearTimeout(waiting);
      if (again !== null) clearInterval(again);
    };
  }, [topics.join(), least_ms, most_ms]);
}
