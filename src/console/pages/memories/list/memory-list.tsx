import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { onChange } from "../../../api/live.ts";
import { Loading, Problem } from "../../../kit/layout.tsx";
import { plural } from "../../../kit/numbers.ts";
import { VirtualList } from "../../../kit/virtual-list.tsx";
import { useEndKey } from "./end-key.ts";
import type { Feed } from "./feed.ts";
import { MemoryRow } from "./memory-row.tsx";
import type { Row } from "./rows.ts";

interface MemoryListProps {
  readonly feed: Feed;
  readonly openId: string | null;
  /** The rows that are chosen, where rows are being chosen. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onOpen: (row: Row) => void;
}

/** Heights of a row in pixels: of one line, and of two where there is no room for one. */
const LINE = 42;
const TWO_LINES = 62;
/** Below this width a row has two lines, in pixels. */
const NARROW = 760;

/** The list itself: of any length, new rows on top, no jump under who reads. */
export function MemoryList({ feed, openId, chosen, onOpen }: MemoryListProps) {
  const box = useRef<HTMLElement>(null);
  const outer = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow(outer);
  const rows = feed.rows.value;
  const hasMore = feed.state.value !== "whole";
  const [isHeld, letGo] = useEndKey(box, hasMore);
  const isAtTop = () => (box.current?.scrollTop ?? 0) < LINE;
  useEffect(() => onChange(["memories"], () => void feed.refresh(isAtTop)), [feed]);
  useLayoutEffect(() => {
    if (isHeld && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [isHeld, rows.length]);
  const showNew = async () => {
    box.current?.scrollTo(0, 0);
    await feed.refresh(() => true);
  };
  const waiting = feed.waiting.value;
  return (
    <div ref={outer} class={`memory-list ${isNarrow ? "is-narrow" : ""}`}>
      {waiting !== 0 && (
        <button type="button" class="primary memory-new" onClick={showNew}>
          {waiting === null ? "The list has changed: show" : `${plural(waiting, "new memory", "new memories")}: show`}
        </button>
      )}
      {isHeld && hasMore && (
        <p class="memory-held" role="status">
          Going to the end.{" "}
          <button type="button" class="link" onClick={letGo}>
            Stop here
          </button>
        </p>
      )}
      {feed.problem.value && <Problem problem={feed.problem.value} retry={() => void feed.more()} />}
      {rows.length === 0 && hasMore && !feed.problem.value && <Loading lines={8} />}
      {rows.length > 0 && (
        <VirtualList
          items={rows}
          rowHeight={isNarrow ? TWO_LINES : LINE}
          label="Memories"
          keyOf={({ id }) => id}
          row={(row) => <MemoryRow row={row} isChosen={chosen?.has(row.id) ?? null} />}
          onEnd={() => void feed.more()}
          onOpen={onOpen}
          openKey={openId}
          chosen={chosen}
          boxRef={box}
        />
      )}
    </div>
  );
}

/** Whether the list itself, whatever stands beside it, is too narrow for one line. */
function useNarrow(ref: { readonly current: HTMLElement | null }): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const look = () => setNarrow(box.clientWidth < NARROW);
    look();
    const sized = new ResizeObserver(look);
    sized.observe(box);
    return () => sized.disconnect();
  }, []);
  return isNarrow;
}
