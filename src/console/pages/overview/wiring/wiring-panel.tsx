import { programsAddress } from "../../../api/address.ts";
import { apiKey } from "../../../api/key.ts";
import { useAddress } from "../../../hooks/address.ts";
import { Copyable, Tabs } from "../../../kit/controls.tsx";
import { Panel } from "../../../kit/layout.tsx";
import { CLIENTS } from "./snippets.ts";

/** How an agent is connected to this server. */
export function WiringPanel() {
  const { values, set } = useAddress();
  const [current, , of] = CLIENTS.find(([name]) => name === values.client) ?? CLIENTS[0];
  const keyed = apiKey.value !== null;
  return (
    <Panel title="Connect an agent" class="wide-panel">
      <div class="stack">
        <Tabs
          label="Client"
          tabs={CLIENTS.map(([name, words]) => [name, words] as const)}
          current={current}
          onChange={(client) => set({ client: client === "claude" ? null : client }, { replace: true })}
        />
        {of({ origin: programsAddress(), keyed }).map(({ title, text }) => (
          <div key={title} class="stack">
            <h3>{title}</h3>
            <Copyable text={text} />
          </div>
        ))}
        {keyed && (
          <p class="dim small">
            Calls need a key: give each agent its own, from <a href="/access">Access</a> or{" "}
            <code>cairn keys create</code>. It takes the place of <code>YOUR_KEY</code>, or stands in the variable{" "}
            <code>CAIRN_KEY</code>.
          </p>
        )}
      </div>
    </Panel>
  );
}
