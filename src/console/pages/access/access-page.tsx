import type { FunctionComponent } from "preact";
import { useAddress } from "../../hooks/address.ts";
import { Tabs } from "../../kit/controls.tsx";
import { Page } from "../../kit/layout.tsx";
import { AgentsTab } from "./agents-tab.tsx";
import { AuditTab } from "./audit-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";

const TABS = [
  ["keys", "Keys"],
  ["agents", "Agents"],
  ["audit", "Audit log"],
  ["limits", "Limits"],
] as const;
type TabName = (typeof TABS)[number][0];

const SHOWN: Readonly<Record<TabName, FunctionComponent>> = {
  keys: KeysTab,
  agents: AgentsTab,
  audit: AuditTab,
  limits: LimitsTab,
};

/** Who may do what, and who did what. */
export function AccessPage() {
  const { values, set } = useAddress();
  const [current] = TABS.find(([name]) => name === values.tab) ?? TABS[0];
  const Shown = SHOWN[current];
  return (
    <Page title="Access" about="Keys, agents, who changed what">
      <Tabs label="Part of access" tabs={TABS} current={current} onChange={(tab) => set({ ...NO_FILTERS, tab })} />
      <Shown />
    </Page>
  );
}

/** What the audit log is filtered by says nothing to the other tabs. */
const NO_FILTERS = { action: null, target: null, before: null };
