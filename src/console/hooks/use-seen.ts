import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How far below the edge of the window something counts as seen. */
const BEYOND = "120px";

/** Whether an element has been in sight yet, or nearly: what it shows need not be asked for before. */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !ref.current) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: BEYOND },
    );
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, [isSeen]);
  return isSeen;
}
