import { useCall } from "../../api/query.ts";
import { useAddress } from "../../hooks/address.ts";
import { Button, Field } from "../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { AuditRow } from "./audit-row.tsx";

const SHOWN = 50;
/** What is written down, as suggestions: a server may know more. */
const ACTIONS = [
  "memory.create",
  "memory.update",
  "memory.status",
  "memory.supersede",
  "memory.delete",
  "memory.restore",
  "memory.erase",
  "memory.import",
  "document.create",
  "document.update",
  "document.delete",
  "document.erase",
  "keystone.create",
  "keystone.update",
  "keystone.delete",
  "keystone.lock",
  "keystone.unlock",
  "keystone_proposal.create",
  "keystone_proposal.accept",
  "keystone_proposal.dismiss",
  "skill.create",
  "skill.update",
  "skill.approve",
  "skill.judge",
  "skill.absorb",
  "entity.create",
  "entity.update",
  "entity.erase",
  "relation.create",
  "relation.update",
  "relation.erase",
  "agent.change",
  "agent.erase",
  "key.create",
  "key.revoke",
  "settings.change",
  "forge.request",
];

/** Who changed what, from what, to what, and why; newest first. */
export function AuditTab() {
  const { values, set } = useAddress();
  const { action = "", target = "" } = values;
  const before = /^[1-9]\d{0,14}$/.test(values.before ?? "") ? Number(values.before) : null;
  const query = { action, target_id: target, limit: SHOWN, ...(before === null ? {} : { before_id: before }) };
  const log = useCall("listAudit", { query }, before === null ? TOPICS : []);
  const isFiltered = action !== "" || target !== "";
  return (
    <Panel title="Audit log">
      <div class="stack">
        <div class="grid">
          <Filter
            label="Action"
            hint="Such as memory.delete"
            value={action}
            list="audit-actions"
            onChange={(one) => set({ action: one, before: null }, { replace: true })}
          />
          <Filter
            label="Id of what was changed"
            hint="Of a memory, a key, an agent, a document"
            value={target}
            onChange={(one) => set({ target: one, before: null }, { replace: true })}
          />
        </div>
        <datalist id="audit-actions">
          {ACTIONS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Show of={log}>
          {({ items }) => (
            <>
              {items.length === 0 ? (
                <Empty
                  title={
                    before !== null
                      ? "There is nothing older."
                      : isFiltered
                        ? "Nothing fits."
                        : "Nothing was changed yet."
                  }
                />
              ) : (
                <ol class="audit">
                  {items.map((entry) => (
                    <AuditRow key={entry.id} entry={entry} onTarget={(id) => set({ target: id, before: null })} />
                  ))}
                </ol>
              )}
              <div class="actions">
                {before !== null && <Button onClick={() => set({ before: null })}>Newest</Button>}
                {items.length === SHOWN && (
                  <Button onClick={() => set({ before: `${items.at(-1)?.id ?? ""}` })}>Older</Button>
                )}
              </div>
            </>
          )}
        </Show>
      </div>
    </Panel>
  );
}

const TOPICS = ["access", "memories", "documents", "entities", "skills", "settings"] as const;

interface FilterProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly list?: string;
  readonly onChange: (value: string) => void;
}

const Filter = ({ label, hint, value, list, onChange }: FilterProps) => (
  <Field label={label} hint={hint}>
    {(id) => (
      <input
        dir="auto"
        id={id}
        type="text"
        autocomplete="off"
        {...(list ? { list } : {})}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    )}
  </Field>
);
