import type { AddressQuery } from "../../hooks/address.ts";
import { useAddress } from "../../hooks/address.ts";
import { Button, Tabs } from "../../kit/controls.tsx";
import { Empty, Page, Show } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { ProjectSelect } from "../../kit/project-select.tsx";
import { ConflictList } from "./conflict-list.tsx";
import { useConflicts } from "./use-conflicts.ts";
import type { ConflictState } from "./words.ts";
import { STATES } from "./words.ts";

/** From this many on the server counts no further. */
const COUNTED_MAX = 1_000;

/** What the detector found to clash, to be decided about. */
export function ConflictsPage() {
  const address = useAddress();
  const { values, set } = address;
  const state = STATES.find(([one]) => one === values.state)?.[0] ?? "open";
  const fleet_id = values.fleet_id ?? "";
  const feed = useConflicts({ state, fleet_id });
  const possible = feed.data?.possible_count ?? 0;
  return (
    <Page
      title="Conflicts"
      about="Memories that cannot both be true, or maybe not, the newest finding first. You decide which holds."
    >
      <div class="row conflict-bar">
        <StateTabs state={state} openCount={feed.data?.open_count ?? null} set={set} />
        {possible > 0 && <span class="small dim">{counted(possible)} of the open ones are merely possible</span>}
        <ProjectSelect value={fleet_id} onChange={(chosen) => set({ fleet_id: chosen })} />
      </div>
      <Show of={feed}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 && !feed.loading && <NoConflicts state={state} isFiltered={fleet_id !== ""} />}
            <ConflictList items={items} feed={feed} />
            {hasMore && (
              <Button disabled={feed.loading} onClick={feed.loadMore}>
                More
              </Button>
            )}
          </>
        )}
      </Show>
    </Page>
  );
}

interface StateTabsProps {
  readonly state: ConflictState;
  readonly openCount: number | null;
  readonly set: AddressQuery["set"];
}

const StateTabs = ({ state, openCount, set }: StateTabsProps) => (
  <Tabs
    label="State"
    current={state}
    tabs={STATES.map(([name, words]) => [
      name,
      name === "open" && openCount !== null ? `${words} ${counted(openCount)}` : words,
    ])}
    onChange={(name) => set({ state: name === "open" ? null : name })}
  />
);

const counted = (open: number): string => (open >= COUNTED_MAX ? `${count(COUNTED_MAX)}+` : count(open));

function NoConflicts({ state, isFiltered }: { state: ConflictState; isFiltered: boolean }) {
  const where = isFiltered ? " in this project" : "";
  if (state === "accepted") return <Empty title={`No finding was accepted${where}.`} />;
  if (state === "both_stand") return <Empty title={`Of no finding it was said that both stand${where}.`} />;
  return (
    <Empty title={`No conflict waits for you${where}.`}>
      <p>
        When a new memory says something that cannot be true together with an older one, such as another version, place
        or date, both appear here with what clashes marked. Until you decide, searches prefer the newer one.
      </p>
      <a href="/memories">All memories</a>
    </Empty>
  );
}
