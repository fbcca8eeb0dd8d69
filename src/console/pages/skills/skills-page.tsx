import { useCall } from "../../api/query.ts";
import { useAddress } from "../../hooks/address.ts";
import { Tabs } from "../../kit/controls.tsx";
import { Page, Show } from "../../kit/layout.tsx";
import { DeliveredTab } from "./delivered/delivered-tab.tsx";
import { ForgeTab } from "./forge/forge-tab.tsx";
import { InboxTab } from "./inbox/inbox-tab.tsx";

const TABS = [
  ["inbox", "Inbox", InboxTab],
  ["delivered", "Delivered", DeliveredTab],
  ["forge", "Forge", ForgeTab],
] as const;

/** What agents know how to do: what waits for a person, what is delivered, and what the Forge did. */
export function SkillsPage() {
  const { values, set } = useAddress();
  const settings = useCall("getSettings", {}, ["settings"]);
  const [current, , Tab] = TABS.find(([name]) => name === values.tab) ?? TABS[0];
  // What is open and which page of it is another thing on another tab.
  const turn = (tab: string) =>
    set({ tab, slug: null, skill: null, run: null, view: null, offset: null, status: null });
  return (
    <Page
      title="Skills"
      about="Instructions that agents install: what waits for your word, what is delivered, and what the Forge drew from their work."
      actions={
        <Tabs label="Part" tabs={TABS.map(([name, words]) => [name, words])} current={current} onChange={turn} />
      }
    >
      <Show of={settings}>{({ skills_factory }) => <Tab factory={skills_factory} onTurned={settings.reload} />}</Show>
    </Page>
  );
}
