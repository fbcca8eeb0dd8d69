import { useEffect, useRef } from "preact/hooks";

/** Calls again and again, so many milliseconds apart, for as long as it is on and the page is looked at. */
export function usePolling(isOn: boolean, every_ms: number, run: () => void): void {
  // Another function at each render must not begin the wait anew.
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, every_ms);
    return () => clearInterval(timer);
  }, [isOn, every_ms]);
}
