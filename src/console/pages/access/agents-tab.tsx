import { useState } from "preact/hooks";
import { nameOfFleet } from "../../api/projects.ts";
import { useCall } from "../../api/query.ts";
import type { Agent } from "../../api/schemas.gen.ts";
import { Button, Copyable } from "../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { trustWords } from "./trust.ts";

/** Agents that are shown at first, and by each step: of each is asked when it wrote last. */
const STEP = 25;

/** The agents that have written here, what they may do, and what they wrote. */
export function AgentsTab() {
  const agents = useCall("listAgents", {}, ["access", "memories"]);
  const stats = useCall("memoryStats", { query: { scope: "all" } }, ["memories"]);
  const [shown, setShown] = useState(STEP);
  const [changing, setChanging] = useState<Agent | null>(null);
  return (
    <Panel title="Agents">
      <Show of={agents}>
        {(known) =>
          known.length === 0 ? (
            <Empty title="No agent has written yet.">
              <p>An agent is known from its first memory or its first key on. This lets one use Cairn:</p>
              <Copyable text="cairn setup claude" />
            </Empty>
          ) : (
            <div class="stack">
              <Table agents={known.slice(0, shown)} counts={stats.data?.by_agent ?? null} onChange={setChanging} />
              {known.length > shown && (
                <div class="actions">
                  <Button onClick={() => setShown(shown + STEP)}>Show more of {count(known.length)}</Button>
                </div>
              )}
            </div>
          )
        }
      </Show>
      {changing && (
        <AgentDialog
          agent={changing}
          onClose={() => setChanging(null)}
          onChanged={() => {
            setChanging(null);
            agents.reload();
          }}
        />
      )}
    </Panel>
  );
}

interface TableProps {
  readonly agents: readonly Agent[];
  /** Memories by agent; null where that is not known. */
  readonly counts: Readonly<Record<string, number>> | null;
  readonly onChange: (agent: Agent) => void;
}

const Table = ({ agents, counts, onChange }: TableProps) => (
  <TableBox label="Agents">
    <table>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Trust</th>
          <th scope="col">Project</th>
          <th scope="col" class="number">
            Memories
          </th>
          <th scope="col">Wrote last</th>
          <th scope="col">Known since</th>
          <th scope="col">Do</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id}>
            <th scope="row">
              <Text value={agent.display_name ?? agent.agent_id} max={80} />
              {agent.display_name && (
                <>
                  <br />
                  <code>{agent.agent_id}</code>
                </>
              )}
            </th>
            <td>{trustWords(agent.trust_level)}</td>
            <td>
              {agent.fleet_id === null ? (
                <span class="dim">none</span>
              ) : (
                <Text value={nameOfFleet(agent.fleet_id)} max={80} />
              )}
            </td>
            <td class="number">
              <a href={`/memories?written_by=${encodeURIComponent(agent.agent_id)}`} data-row>
                {counts ? count(counts[agent.agent_id] ?? 0) : "…"}
                <span class="hidden-visually"> memories of {agent.agent_id}</span>
              </a>
            </td>
            <td>
              <WroteLast agent_id={agent.agent_id} />
            </td>
            <td>
              <Time at={agent.created_at} />
            </td>
            <td>
              <Button label={`Change trust or project of ${agent.agent_id}`} onClick={() => onChange(agent)}>
                Change…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

/** When an agent wrote the newest memory of it that this key may see. */
function WroteLast({ agent_id }: { agent_id: string }) {
  const query = { written_by: agent_id, scope: "all", sort: "created_at", order: "desc", limit: 1 } as const;
  const { data, problem } = useCall("listMemories", { query }, ["memories"]);
  if (problem) return <span title={problem.message}>not known</span>;
  if (!data) return <span class="dim">…</span>;
  const at = data.items[0]?.created_at;
  return typeof at === "string" ? <Time at={at} /> : <span class="dim">nothing that is kept</span>;
}
