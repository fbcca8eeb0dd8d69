import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { fleetToWrite, shownFleet } from "../../api/projects.ts";
import type { Agent } from "../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem } from "../../kit/layout.tsx";
import { ProjectField } from "../../kit/project-field.tsx";
import { toast } from "../../kit/toast.tsx";
import type { Trust } from "./trust.ts";
import { TRUST_OPTIONS, trustOf } from "./trust.ts";

interface AgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Changes what an agent may do and which project is its own; its keys follow. */
export function AgentDialog({ agent, onClose, onChanged }: AgentDialogProps) {
  const { agent_id, trust_level, fleet_id } = agent;
  const [trust, setTrust] = useState<Trust>(trust_level);
  const [project, setProject] = useState(shownFleet(fleet_id));
  const [failed, setFailed] = useState<CallProblem | null>(null);
  const named = project.trim();
  const isMoved = named !== "" && named !== shownFleet(fleet_id);
  const save = async () => {
    setFailed(null);
    try {
      if (trust !== trust_level) await setTrustOf(agent_id, trust);
      if (isMoved)
        await call("changeAgentFleet", { path: { agent_id }, body: { fleet_id: await fleetToWrite(named) } });
    } catch (error) {
      setFailed(asProblem(error));
      return;
    }
    const undo = async () => {
      if (trust !== trust_level) await setTrustOf(agent_id, trust_level);
      if (isMoved && fleet_id !== null) await call("changeAgentFleet", { path: { agent_id }, body: { fleet_id } });
    };
    // An agent that has a project cannot be made one without.
    const canUndo = !(isMoved && fleet_id === null);
    toast(`${agent_id} is changed, and its keys with it.`, canUndo ? { undo } : {});
    onChanged();
  };
  return (
    <Dialog title={`Change ${agent_id}`} onClose={onClose}>
      <div class="stack">
        <Field label="Trust" hint="Its keys have it from the next call on.">
          {(id) => (
            <Select
              id={id}
              value={`${trust}`}
              options={TRUST_OPTIONS}
              onChange={(one) => setTrust(trustOf(one) ?? trust_level)}
            />
          )}
        </Field>
        <ProjectField
          hint="Its own project: what it writes for its team goes there. Once it has one, it can be moved, but not be left without."
          value={project}
          onChange={setProject}
        />
        {failed && <Problem problem={failed} />}
        <div class="actions">
          <Button kind="primary" disabled={trust === trust_level && !isMoved} onClick={save}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

const setTrustOf = (agent_id: string, trust_level: Trust): Promise<unknown> =>
  call("changeAgentTrust", { path: { agent_id }, body: { trust_level } });
