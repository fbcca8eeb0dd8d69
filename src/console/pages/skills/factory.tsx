import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { OrgSettings } from "../../api/schemas.gen.ts";
import { Button, Copyable } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Empty, Panel } from "../../kit/layout.tsx";
import { toast } from "../../kit/toast.tsx";

/** The tenant's settings of skills. */
export type Factory = OrgSettings["skills_factory"];

export interface WithFactory {
  readonly factory: Factory;
}

/** What each tab of the page is given. */
export interface TabProps extends WithFactory {
  /** After the page itself changed the settings. */
  readonly onTurned: () => void;
}

async function turn(enabled: boolean): Promise<void> {
  await call("patchSettings", { body: { skills_factory: { enabled } } });
  toast(`The skill factory is switched ${enabled ? "on" : "off"}.`);
}

/** Stands where nothing happens because the factory is off: what it does, and how it is switched on. */
export const FactoryOff = ({ what, onTurned }: Pick<TabProps, "onTurned"> & { what: string }) => (
  <Panel>
    <Empty title="The skill factory is switched off.">
      <p>{what}</p>
      <p>
        Off, skills are documents like any other, and nothing waits here. Delivered is what a person wrote, or approved
        with <code>cairn skills approve</code>, and what the scan finds clean.
      </p>
      <div class="skills-centred">
        <Button kind="primary" onClick={() => turn(true).then(onTurned)}>
          Switch it on
        </Button>
      </div>
      <p>An administrator may do so here, or on the command line:</p>
      <Copyable text="cairn settings set skills_factory.enabled true" />
    </Empty>
  </Panel>
);

/** Switches the factory off, after it said what that means. */
export function FactorySwitch({ onTurned }: Pick<TabProps, "onTurned">) {
  const [asks, setAsks] = useState(false);
  const off = async () => {
    await turn(false);
    setAsks(false);
    onTurned();
  };
  return (
    <>
      <Button onClick={() => setAsks(true)}>Switch the factory off…</Button>
      {asks && (
        <Dialog title="Switch the skill factory off?" onClose={() => setAsks(false)}>
          <p>
            Skills become plain documents: those that wait, were rejected or lie in quarantine can be read by every
            agent like the rest. Delivered is what you or the inbox approved before, until it changes. The Forge stops.
          </p>
          <p>Nothing is deleted; switched on again, every skill has the status that it has now.</p>
          <div class="actions">
            <Button kind="danger" onClick={off}>
              Switch it off
            </Button>
            <Button onClick={() => setAsks(false)}>Leave it on</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
