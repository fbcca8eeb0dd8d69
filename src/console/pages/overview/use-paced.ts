import { useEffect, useRef } from "preact/hooks";
import type { Input, OperationId } from "../../api/call.ts";
import type { Topic } from "../../api/live.ts";
import { onChange } from "../../api/live.ts";
import type { Loaded } from "../../api/query.ts";
import { useCall } from "../../api/query.ts";

interface Pace {
  /** So long it is not asked again, however much changes. */
  readonly least_ms: number;
  /** After so long it is asked again although nothing was told; left out, only changes count. */
  readonly most_ms?: number;
}

/** `useCall` for what takes the server a while: a change is read at once, many changes together. */
export function usePaced<Id extends OperationId>(
  id: Id,
  input: Input<Id> | null,
  topics: readonly Topic[],
  { least_ms, most_ms }: Pace,
): ReturnType<typeof useCall<Id>> {
  const loaded = useCall(id, input);
  usePace(loaded, topics, { least_ms, ...(most_ms === undefined ? {} : { most_ms }) });
  return loaded;
}

function usePace({ loading, reload }: Loaded<unknown>, topics: readonly Topic[], { least_ms, most_ms }: Pace): void {
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
