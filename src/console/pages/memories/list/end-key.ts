import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof HTMLElement &&
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest(".memory-detail") !== null));

/**
 * The keys End and Home for a list that is the main thing of its page. End holds it at its end, also while more of it comes,
 * until all is there or one moves; gives whether it is held, and what lets it go.
 */
export function useEndKey(box: RefObject<HTMLElement | null>, hasMore: boolean): readonly [boolean, () => void] {
  const [isHeld, setHeld] = useState(false);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isElsewhere(event.target)) return;
      if (event.key === "Shift") return;
      setHeld(event.key === "End");
      if (event.key !== "End" && event.key !== "Home") return;
      event.preventDefault();
      box.current?.scrollTo(0, event.key === "End" ? box.current.scrollHeight : 0);
    };
    const letGo = () => setHeld(false);
    document.addEventListener("keydown", onKey);
    document.addEventListener("wheel", letGo, { passive: true });
    document.addEventListener("pointerdown", letGo);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("wheel", letGo);
      document.removeEventListener("pointerdown", letGo);
    };
  }, []);
  useEffect(() => {
    if (!hasMore) setHeld(false);
  }, [hasMore]);
  return [isHeld, () => setHeld(false)];
}
