import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { faultsByPath } from "../../api/faults.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { useCall } from "../../api/query.ts";
import type { OrgSettings, OrgSettingsPatch } from "../../api/schemas.gen.ts";
import { BoundsView } from "../../kit/bounds.tsx";
import { Button, Copyable } from "../../kit/controls.tsx";
import { Panel, Problem, Show } from "../../kit/layout.tsx";
import { plural } from "../../kit/numbers.ts";
import { toast } from "../../kit/toast.tsx";
import { SettingField } from "./setting-field.tsx";
import type { SettingValue } from "./settings-tree.ts";
import { groupsOf, treeOf } from "./settings-tree.ts";
import { groupWords } from "./settings-words.ts";

/** What can be set for the tenant, and what only a start of the server can change. */
export function SettingsTab() {
  const settings = useCall("getSettings", {}, ["settings"]);
  // What a change came to, until it is read again.
  const [saved, setSaved] = useState<OrgSettings | null>(null);
  useEffect(() => setSaved(null), [settings.data]);
  const limits = useCall("limits", {}, ["memories"]);
  return (
    <>
      <Panel title="Settings of the tenant">
        <Show of={settings}>{(tree) => <Form tree={saved ?? tree} onSaved={setSaved} />}</Show>
      </Panel>
      <Panel title="Limits">
        <Show of={limits}>{(bounds) => <BoundsView bounds={bounds} left={null} />}</Show>
      </Panel>
      <Panel title="Settings of the server">
        <div class="stack">
          <p class="dim">
            Limits, address, models and keys of the machine are flags of <code>cairn serve</code>, variables, or members
            of the config file (<code>~/.config/cairn/config.json</code>); a flag wins over a variable, a variable over
            the file. They hold from the next start on. This shows each with what said so:
          </p>
          <Copyable text="cairn config --origin" />
        </div>
      </Panel>
    </>
  );
}

type Changes = Readonly<Record<string, SettingValue>>;

function Form({ tree, onSaved }: { tree: OrgSettings; onSaved: (tree: OrgSettings) => void }) {
  const [changes, setChanges] = useState<Changes>({});
  const [failed, setFailed] = useState<CallProblem | null>(null);
  const groups = groupsOf(tree);
  const known = groups.flatMap(({ settings }) => settings.map(([path]) => path));
  const faults = faultsByPath(failed);
  const isElsewhere = failed !== null && !known.some((path) => path in faults);
  const changed = Object.keys(changes).length;
  const set = (path: string, value: SettingValue, stored: SettingValue) => {
    const { [path]: _dropped, ...rest } = changes;
    setChanges(value === stored ? rest : { ...rest, [path]: value });
  };
  const save = async () => {
    setFailed(null);
    const before = Object.fromEntries(groups.flatMap(({ settings }) => settings.filter(([path]) => path in changes)));
    try {
      onSaved(await patch(changes));
      setChanges({});
      const undo = async () => onSaved(await patch(before));
      toast(`${plural(changed, "setting")} saved.`, { undo });
    } catch (error) {
      setFailed(asProblem(error));
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (changed > 0) void save();
      }}
    >
      {groups.map(({ path: group, settings }) => (
        <fieldset class="settings-group" key={group}>
          <legend>{groupWords(group)}</legend>
          <div class="settings-fields">
            {settings.map(([path, stored]) => (
              <SettingField
                key={path}
                path={path}
                value={changes[path] === undefined ? stored : changes[path]}
                isChanged={path in changes}
                problem={faults[path] ?? null}
                onChange={(value) => set(path, value, stored)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {isElsewhere && failed && <Problem problem={failed} />}
      <div class="actions">
        <Button kind="primary" disabled={changed === 0} onClick={save}>
          {changed === 0 ? "Nothing changed" : `Save ${plural(changed, "change")}`}
        </Button>
        <Button
          disabled={changed === 0}
          onClick={() => {
            setChanges({});
            setFailed(null);
          }}
        >
          Discard
        </Button>
      </div>
    </form>
  );
}

function patch(changes: Changes): Promise<OrgSettings> {
  // Safe: the paths are those of the tree that the server sent; what does not fit it refuses.
  return call("patchSettings", { body: treeOf(changes) as OrgSettingsPatch });
}
