import { useEffect, useRef } from "preact/hooks";
import type { Loaded } from "../api/query.ts";

type Polled = Pick<Loaded<unknown>, "loading" | "reload">;

/**
 * Asks again and again, so many milliseconds apart, for as long as it is on and the page is looked at. What is not answered yet is
 * waited for, however slow it is.
 */
export function usePolling(isOn: boolean, every_ms: number, polled: readonly Polled[]): void {
  // Others at each render must not begin the wait anew.
  const latest = useRef(polled);
  latest.current = polled;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      for (const { loading, reload } of latest.current) if (!loading) reload();
    }, every_ms);
    return () => clearInterval(timer);
  }, [isOn, every_ms]);
}
