import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { fleetToWrite } from "../../api/projects.ts";
import type { KeyMinted } from "../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../kit/controls.tsx";
import { Problem } from "../../kit/layout.tsx";
import { ProjectField } from "../../kit/project-field.tsx";
import { TRUST_OPTIONS, trustOf } from "./trust.ts";

const EMPTY = { agent: "", project: "", trust: "", label: "", admin: false } as const;
interface Typed {
  readonly agent: string;
  readonly project: string;
  readonly trust: string;
  readonly label: string;
  readonly admin: boolean;
}

const TEXTS = [
  ["agent", "Agent", "The key speaks for this agent alone. Left empty: for the whole tenant."],
  ["label", "Label", "A note for people: where the key is used."],
] as const;

/** Makes a key; what it may do is said beside each choice. */
export function MintForm({ onMinted }: { onMinted: (key: KeyMinted) => void }) {
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const [failed, setFailed] = useState<CallProblem | null>(null);
  const mint = async () => {
    setFailed(null);
    try {
      onMinted(await call("createKey", { body: await bodyOf(typed) }));
      setTyped(EMPTY);
    } catch (error) {
      setFailed(asProblem(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void mint();
      }}
    >
      <div class="grid">
        {TEXTS.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint}>
            {(id) => (
              <input
                dir="auto"
                id={id}
                type="text"
                autocomplete="off"
                value={typed[name]}
                onInput={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <ProjectField
          hint="The agent's own project. Left empty: the one it has, else none."
          value={typed.project}
          onChange={(project) => setTyped({ ...typed, project })}
        />
        <Field label="Trust" hint="The same holds for the agent from then on.">
          {(id) => (
            <Select
              id={id}
              value={typed.trust}
              options={[["", "as the agent has it; a new one 1, a whole tenant 3"], ...TRUST_OPTIONS]}
              onChange={(trust) => setTyped({ ...typed, trust })}
            />
          )}
        </Field>
        <Field label="Administrator" hint="May mint and revoke keys, change agents and settings, export and import.">
          {(id) => (
            <input
              id={id}
              type="checkbox"
              checked={typed.admin}
              onChange={({ currentTarget }) => setTyped({ ...typed, admin: currentTarget.checked })}
            />
          )}
        </Field>
      </div>
      {failed && <Problem problem={failed} />}
      <div class="actions">
        <Button kind="primary" onClick={mint}>
          Mint the key
        </Button>
      </div>
    </form>
  );
}

/** What is left empty is left out: the server knows what then holds. */
async function bodyOf({ agent, project, trust, label, admin }: Typed) {
  const level = trustOf(trust);
  return {
    ...(agent.trim() === "" ? {} : { agent_id: agent.trim() }),
    ...(project.trim() === "" ? {} : { fleet_id: await fleetToWrite(project.trim()) }),
    ...(level === null ? {} : { trust: level }),
    ...(label.trim() === "" ? {} : { label: label.trim() }),
    admin,
  };
}
