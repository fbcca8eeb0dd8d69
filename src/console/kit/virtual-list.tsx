import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** Height of each row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, index: number) => ComponentChildren;
  /** Called when the end comes near and there is more. */
  readonly onEnd: () => void;
  readonly onOpen: (item: T) => void;
  readonly openKey?: string | null;
}

/** Rows beyond the edges that are there already when one scrolls. */
const BEYOND = 12;

/** A list of any length of which only what is in sight is in the document. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, label, keyOf, row, onEnd, onOpen, openKey } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const look = () => setView({ top: box.scrollTop, height: box.clientHeight });
    const sized = new ResizeObserver(look);
    sized.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      sized.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + BEYOND);
  const isNearEnd = last >= items.length - BEYOND;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, items.length]);
  return (
    <section class="virtual" ref={ref} aria-label={label}>
      <div class="virtual-all" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, i) => (
          <button
            type="button"
            class="virtual-row"
            data-row
            key={keyOf(item)}
            aria-current={keyOf(item) === openKey}
            style={{ top: `${(first + i) * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => onOpen(item)}
          >
            {row(item, first + i)}
          </button>
        ))}
      </div>
    </section>
  );
}
