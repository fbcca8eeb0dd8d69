import { useCall } from "../../api/query.ts";
import type { MemoryStats } from "../../api/schemas.gen.ts";
import { Later } from "../../kit/later.tsx";
import { Page, Problem } from "../../kit/layout.tsx";
import { ActivityPanels } from "./activity-panels.tsx";
import { AgesPanel } from "./ages-panel.tsx";
import { Figures } from "./figures.tsx";
import { MapPanel } from "./map/map-panel.tsx";
import { ServerPanel } from "./server-panel.tsx";
import { Shares } from "./shares.tsx";
import { WaitingPanel } from "./waiting.tsx";
import { Welcome } from "./welcome.tsx";
import { WiringPanel } from "./wiring/wiring-panel.tsx";

const CHANGES_MS = 3_000;
const STATUS_MS = 15_000;

/** What there is, what waits, how it came to be. Figures are asked for first, pictures once the count of memories is there. */
export function OverviewPage() {
  const stats = useCall("memoryStats", {}, ["memories"], { least_ms: CHANGES_MS });
  const agents = useCall("listAgents", {}, ["access", "memories"], { least_ms: CHANGES_MS });
  const fleets = useCall("listFleets", {}, ["access", "memories"], { least_ms: CHANGES_MS });
  const collections = useCall("listCollections", {}, ["documents"]);
  const { data, problem, reload } = stats;
  const isEmpty = data?.total === 0;
  return (
    <Page title="Overview" about="What there is, and what waits">
      {problem && <Problem problem={problem} retry={reload} />}
      {isEmpty && <Welcome />}
      <Figures stats={stats} agents={agents} fleets={fleets} collections={collections} />
      <div class="grid">
        <Later>
          <State stats={isEmpty ? null : data} />
        </Later>
        {data && (
          <Later>
            {!isEmpty && (
              <>
                <ActivityPanels agents={agents.data ?? []} />
                <AgesPanel />
                <MapPanel stats={data} />
              </>
            )}
            <WiringPanel />
          </Later>
        )}
      </div>
    </Page>
  );
}

/** How things are now: what waits, of what kinds memories are, how the server does. */
function State({ stats }: { stats: MemoryStats | null }) {
  const status = useCall("status", {}, ["jobs", "memories"], { least_ms: CHANGES_MS, most_ms: STATUS_MS });
  return (
    <>
      <div class="panels">
        <WaitingPanel status={status} />
        {stats && <Shares stats={stats} />}
      </div>
      <ServerPanel status={status} />
    </>
  );
}
