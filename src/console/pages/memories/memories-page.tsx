import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../../hooks/address.ts";
import { useMedia } from "../../hooks/media.ts";
import { Button } from "../../kit/controls.tsx";
import { Page } from "../../kit/layout.tsx";
import { MemoryDetail } from "./detail/memory-detail.tsx";
import { WriteDialog } from "./edit/write-dialog.tsx";
import { BulkBar } from "./list/bulk-bar.tsx";
import { NoMemories, NothingFits } from "./list/empty-list.tsx";
import type { Feed, MemoryQuery } from "./list/feed.ts";
import { memoryFeed } from "./list/feed.ts";
import { cleared, FilterBar } from "./list/filter-bar.tsx";
import { filtersIn, queryIn } from "./list/filters.ts";
import { ListCount } from "./list/list-count.tsx";
import { MemoryList } from "./list/memory-list.tsx";
import type { Row } from "./list/rows.ts";

/** The memories: a list by filters, and one of them beside it. */
export function MemoriesPage() {
  const address = useAddress();
  const { values, set } = address;
  const query = queryIn(values);
  const feed = useShownFeed(query);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  // What is no longer in sight is not deleted by mistake.
  useEffect(() => setChosen((before) => before && new Set()), [feed]);
  const isWide = useMedia("(min-width: 1100px)");
  const openId = values.id ?? null;
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (openId === null && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    opener.current = openId === null ? null : (opener.current ?? document.activeElement);
  }, [openId]);
  const open = (row: Row) => {
    if (chosen) setChosen(toggled(chosen, row.id));
    else set({ id: row.id }, { replace: openId !== null });
  };
  const isEmpty = feed.rows.value.length === 0 && feed.state.value === "whole";
  return (
    <Page
      title="Memories"
      about="What your agents know, newest first unless you sort it otherwise."
      actions={
        <>
          <Button onClick={() => setChosen(chosen ? null : new Set())}>
            {chosen ? "Done choosing" : "Choose several"}
          </Button>
          <Button kind="primary" onClick={() => set({ new: "1" })}>
            Write a memory
          </Button>
        </>
      }
    >
      <div class={`memories ${openId === null ? "" : "has-open"}`}>
        <section class="panel memories-list" aria-label="List" inert={openId !== null && !isWide}>
          <FilterBar address={address} />
          {chosen ? (
            <BulkBar feed={feed} chosen={chosen} onChosen={setChosen} />
          ) : (
            <ListCount feed={feed} values={values} />
          )}
          {isEmpty && filtersIn(values).length === 0 && <NoMemories onWrite={() => set({ new: "1" })} />}
          {isEmpty && filtersIn(values).length > 0 && <NothingFits onClear={() => set(cleared())} />}
          <MemoryList key={feed.key} feed={feed} openId={openId} chosen={chosen} onOpen={open} />
        </section>
        {openId !== null && (
          <MemoryDetail key={openId} id={openId} feed={feed} isOver={!isWide} onClose={() => set({ id: null })} />
        )}
      </div>
      {values.new && <WriteDialog onClose={(id) => set({ new: null, ...(id ? { id } : {}) }, { replace: true })} />}
    </Page>
  );
}

/** The list of a query; that of the query before stays until the first rows are there, so that nothing flickers. */
function useShownFeed(query: MemoryQuery): Feed {
  const feed = useMemo(() => memoryFeed(query), [JSON.stringify(query)]);
  useEffect(() => {
    void feed.more();
    return () => feed.stop();
  }, [feed]);
  const shown = useRef(feed);
  if (feed.rows.value.length > 0 || feed.state.value === "whole" || feed.problem.value) shown.current = feed;
  return shown.current;
}

/** With this one if it was not in, without it if it was. */
function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
