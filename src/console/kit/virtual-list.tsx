import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

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
  /** The rows that are chosen, where rows are there to be chosen rather than opened. */
  readonly chosen?: ReadonlySet<string> | null;
  /** The box that scrolls. */
  readonly boxRef?: RefObject<HTMLElement | null>;
}

/** Rows beyond the edges that are there already when one scrolls. */
const BEYOND = 12;
/** How many rows before the end it comes near: enough that more are there before one gets to it. */
const NEAR_END = 100;

/** A list of any length of which only what is in sight is in the document. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, label, keyOf, row, onEnd, onOpen, openKey, chosen } = props;
  const own = useRef<HTMLElement>(null);
  const ref = props.boxRef ?? own;
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
  useKeptRow(ref, rowHeight);
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + BEYOND);
  const isNearEnd = last >= items.length - NEAR_END;
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
            aria-pressed={chosen ? chosen.has(keyOf(item)) : undefined}
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

/** Keeps the first row in sight where it is when rows get another height. */
function useKeptRow(ref: RefObject<HTMLElement | null>, rowHeight: number): void {
  const before = useRef(rowHeight);
  useLayoutEffect(() => {
    if (ref.current && before.current !== rowHeight)
      ref.current.scrollTop = (ref.current.scrollTop * rowHeight) / before.current;
    before.current = rowHeight;
  }, [rowHeight]);
}
