import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { useCall } from "../../../api/query.ts";
import { Button } from "../../../kit/controls.tsx";
import { Loading, Problem } from "../../../kit/layout.tsx";
import { Text } from "../../../kit/text.tsx";
import { toast } from "../../../kit/toast.tsx";
import type { Feed } from "../list/feed.ts";
import { toRow } from "../list/rows.ts";
import { Contradictions } from "./contradictions.tsx";
import type { ActionWindow } from "./detail-actions.tsx";
import { DetailActions } from "./detail-actions.tsx";
import { EarlierTexts } from "./earlier-texts.tsx";
import { FactChain } from "./fact-chain.tsx";
import { Facts } from "./facts.tsx";
import { EntityLinks, Similar } from "./links.tsx";
import { Told } from "./told.tsx";
import { Versions } from "./versions.tsx";

interface MemoryDetailProps {
  readonly id: string;
  readonly feed: Feed;
  /** Whether it lies over the list rather than beside it. */
  readonly isOver: boolean;
  readonly onClose: () => void;
}

/** One memory, whole: what it says, where it comes from, what it is linked to and what became of it. */
export function MemoryDetail({ id, feed, isOver, onClose }: MemoryDetailProps) {
  const ref = useRef<HTMLElement>(null);
  const loaded = useCall("getMemory", { path: { memory_id: id } }, ["memories"]);
  const { data, problem, reload } = loaded;
  const [open, setOpen] = useState<ActionWindow | null>(null);
  // What somebody is typing stays, though the memory was deleted meanwhile.
  const isGone = problem?.status === 404 && (open === null || data === null);
  useEffect(() => {
    const row = data && toRow(data);
    if (row) feed.update(row);
  }, [data]);
  useEffect(() => {
    if (isOver) ref.current?.focus();
  }, [isOver]);
  useEscape(onClose);
  return (
    <aside ref={ref} tabIndex={-1} class={`memory-detail panel ${isOver ? "is-over" : ""}`} aria-label="Memory">
      <header class="panel-head">
        <h2>Memory</h2>
        <button type="button" onClick={onClose}>
          {isOver ? "Back to the list" : "Close"}
        </button>
      </header>
      {isGone ? (
        <Gone id={id} feed={feed} problem={problem} reload={reload} />
      ) : (
        <>
          {problem && <Problem problem={problem} retry={reload} />}
          {data === null && !problem && <Loading lines={8} />}
          {data !== null && (
            <div class="stack">
              <p class="memory-whole">
                <Text value={data.content} />
              </p>
              <DetailActions memory={data} feed={feed} open={open} onOpen={setOpen} reload={reload} onClose={onClose} />
              <Facts memory={data} onMove={() => setOpen("move")} />
              <Told id={id} />
              <EntityLinks memory={data} />
              <FactChain memory={data} />
              <Contradictions memory={data} />
              <Similar id={id} />
              <EarlierTexts memory={data} reload={reload} />
              <Versions id={id} />
            </div>
          )}
        </>
      )}
    </aside>
  );
}

interface GoneProps {
  readonly id: string;
  readonly feed: Feed;
  readonly problem: CallProblem;
  readonly reload: () => void;
}

/** Stands for a memory that cannot be read: one that the list shows as deleted can be brought back. */
function Gone({ id, feed, problem, reload }: GoneProps) {
  const row = feed.rows.value.find((one) => one.id === id);
  const restore = async () => {
    const row = toRow(await call("restoreMemory", { path: { memory_id: id } }));
    if (row) feed.update(row);
    toast("The memory is restored.");
    reload();
  };
  if (row?.status !== "deleted") return <Problem problem={problem} retry={reload} />;
  return (
    <div class="stack">
      <p class="memory-whole">
        <Text value={row.content} />
      </p>
      <p>This memory is deleted. It can be restored until it is erased for good.</p>
      <div class="actions">
        <Button kind="primary" onClick={restore}>
          Restore
        </Button>
      </div>
      <Versions id={id} />
    </div>
  );
}

/** Escape closes what is open, unless it is meant for a window or an input. */
function useEscape(onClose: () => void): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key === "Escape" && !isTyping && document.querySelector("dialog[open]") === null) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
}
