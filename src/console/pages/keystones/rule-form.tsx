import { useState } from "preact/hooks";
import { knownFleet, shownFleet } from "../../api/projects.ts";
import { useCall } from "../../api/query.ts";
import type { KeystoneWrite } from "../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../kit/controls.tsx";
import { ProjectField } from "../../kit/project-field.tsx";
import { Suggesting } from "../../kit/suggesting.tsx";
import { SCOPES, WEIGHTS } from "./rule.ts";

interface RuleFormProps {
  readonly draft: KeystoneWrite;
  readonly isNew: boolean;
  readonly onChange: (draft: KeystoneWrite) => void;
  readonly onSave: () => Promise<unknown>;
  readonly onCancel: () => void;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const SCOPE_WORDS = {
  tenant: "Everyone",
  fleet: "Whoever works in a project",
  agent: "One agent",
} as const;

/** All that a rule may say, as a form. */
export function RuleForm({ draft, isNew, onChange, onSave, onCancel }: RuleFormProps) {
  const { doc_id, title, content, scope, weight, fleet_id, agent_id, author_user_id } = draft;
  const [project, setProject] = useState(shownFleet(fleet_id));
  const agents = useCall("listAgents", {});
  const change = (part: Partial<KeystoneWrite>) => onChange({ ...draft, ...part });
  const rescope = (next: KeystoneWrite["scope"]) =>
    change({
      scope: next,
      fleet_id: next === "tenant" ? null : (fleet_id ?? ""),
      agent_id: next === "agent" ? (agent_id ?? "") : null,
    });
  const nameProblem =
    doc_id === "" || NAME.test(doc_id) ? null : "Small letters, digits, points, dashes and underscores alone.";
  const isWhole =
    NAME.test(doc_id) &&
    title.trim() !== "" &&
    content.trim() !== "" &&
    (scope !== "fleet" || !!fleet_id) &&
    (scope !== "agent" || !!agent_id);
  const number = typeof weight === "number" ? weight : WEIGHTS[weight];
  return (
    <div class="stack">
      <Field label="Title">
        {(id) => (
          <input
            dir="auto"
            id={id}
            maxLength={500}
            value={title}
            onInput={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="What it says">
        {(id) => (
          <textarea
            dir="auto"
            id={id}
            rows={6}
            maxLength={10_000}
            value={content}
            onInput={({ currentTarget }) => change({ content: currentTarget.value })}
          />
        )}
      </Field>
      <div class="grid">
        <Field label="Name (doc_id)" problem={nameProblem} {...(isNew ? {} : { hint: "It stays as it is." })}>
          {(id) => (
            <input
              dir="auto"
              id={id}
              disabled={!isNew}
              placeholder="no-force-push"
              value={doc_id}
              onInput={({ currentTarget }) => change({ doc_id: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Weight, 0 to 100" hint="Heavier rules are told first.">
          {(id) => (
            <div class="row">
              <input
                id={id}
                class="rule-weight-input"
                type="number"
                min={0}
                max={100}
                value={number}
                onInput={({ currentTarget }) => change({ weight: Math.round(currentTarget.valueAsNumber) || 0 })}
              />
              {Object.entries(WEIGHTS).map(([name, value]) => (
                <Button key={name} onClick={() => change({ weight: value })}>
                  {name}
                </Button>
              ))}
            </div>
          )}
        </Field>
        <Field label="Whom it binds">
          {(id) => (
            <Select
              id={id}
              value={scope}
              options={SCOPES.map((one) => [one, SCOPE_WORDS[one]] as const)}
              onChange={rescope}
            />
          )}
        </Field>
        {scope !== "tenant" && (
          <ProjectField
            {...(scope === "agent" ? { hint: "Empty: wherever the agent works." } : {})}
            value={project}
            onChange={(value) => {
              setProject(value);
              change({ fleet_id: knownFleet(value) ?? value });
            }}
          />
        )}
        {scope === "agent" && (
          <Suggesting
            label="Agent"
            value={agent_id ?? ""}
            suggestions={(agents.data ?? []).map((agent) => agent.agent_id)}
            onChange={(value) => change({ agent_id: value })}
          />
        )}
        <Field label="Author" hint="Who answers for it; may be empty.">
          {(id) => (
            <input
              dir="auto"
              id={id}
              maxLength={200}
              value={author_user_id ?? ""}
              onInput={({ currentTarget: { value } }) => change({ author_user_id: value === "" ? null : value })}
            />
          )}
        </Field>
      </div>
      <div class="actions">
        <Button kind="primary" disabled={!isWhole} onClick={onSave}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
