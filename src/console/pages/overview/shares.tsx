import type { MemoryStats } from "../../api/schemas.gen.ts";
import { ShareBars } from "../../charts/share-bars.tsx";
import { Panel } from "../../kit/layout.tsx";

const sharesOf = (counts: Readonly<Record<string, number>>, filter: string) =>
  Object.entries(counts).map(([name, value]) => ({
    name,
    value,
    href: `/memories?${filter}=${encodeURIComponent(name)}`,
  }));

/** What memories are, and what became of them. */
export const Shares = ({ stats }: { stats: MemoryStats }) => (
  <>
    <Panel title="Types">
      <ShareBars label="Memories by type" shares={sharesOf(stats.by_type, "memory_type")} />
    </Panel>
    <Panel title="Statuses">
      <ShareBars label="Memories by status" shares={sharesOf(stats.by_status, "status")} />
    </Panel>
  </>
);
