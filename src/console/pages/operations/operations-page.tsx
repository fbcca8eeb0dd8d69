import type { FunctionComponent } from "preact";
import { useAddress } from "../../hooks/address.ts";
import { Tabs } from "../../kit/controls.tsx";
import { Page } from "../../kit/layout.tsx";
import { BackupsTab } from "./backups-tab.tsx";
import { HealthTab } from "./health-tab.tsx";
import { ImportTab } from "./import/import-tab.tsx";
import { JobsTab } from "./jobs-tab.tsx";
import { LogTab } from "./log-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";

const TABS = [
  ["health", "Health"],
  ["jobs", "Jobs"],
  ["backups", "Backups"],
  ["import", "Import and export"],
  ["log", "Log"],
  ["settings", "Settings"],
] as const;
type TabName = (typeof TABS)[number][0];

const SHOWN: Readonly<Record<TabName, FunctionComponent>> = {
  health: HealthTab,
  jobs: JobsTab,
  backups: BackupsTab,
  import: ImportTab,
  log: LogTab,
  settings: SettingsTab,
};

/** How the server does, and what keeps it so. */
export function OperationsPage() {
  const { values, set } = useAddress();
  const [current] = TABS.find(([name]) => name === values.tab) ?? TABS[0];
  const Shown = SHOWN[current];
  return (
    <Page title="Operations" about="Health, jobs, backups, import, log">
      <Tabs label="Part of operations" tabs={TABS} current={current} onChange={(tab) => set({ tab })} />
      <Shown />
    </Page>
  );
}
