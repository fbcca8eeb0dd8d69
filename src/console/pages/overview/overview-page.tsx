import { useCall } from "../../api/query.ts";
import { Page, Panel, Show } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";

export function OverviewPage() {
  const stats = useCall("memoryStats", { query: { scope: "all" } }, ["memories"]);
  return (
    <Page title="Overview" about="What there is, and what waits">
      <Panel title="Memories">
        <Show of={stats}>{({ total }) => <strong>{count(total)}</strong>}</Show>
      </Panel>
    </Page>
  );
}
