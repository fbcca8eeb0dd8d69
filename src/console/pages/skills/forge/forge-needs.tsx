import { Copyable } from "../../../kit/controls.tsx";
import { Empty } from "../../../kit/layout.tsx";
import { plural } from "../../../kit/numbers.ts";
import type { WithFactory } from "../factory.tsx";

const EXAMPLE = JSON.stringify({
  agent_id: "deployer",
  run_id: "deploy-42",
  content: "Restarted the workers, all checks pass.",
  metadata: { outcome: "success" },
});

/** What the Forge needs to find anything. */
export const ForgeNeeds = ({ factory: { forge }, title }: WithFactory & { title: string }) => (
  <Empty title={title}>
    <p>It draws a skill from what agents did alike and well. For that it needs</p>
    <ul class="skills-needs">
      <li>
        memories that agents write of their work with a <code>run_id</code>, each run under an id of its own, seen by
        more than their own agent;
      </li>
      <li>
        the end of each run told: in its last memories ("all checks pass"), or by the word <code>success</code> or{" "}
        <code>failure</code> in <code>metadata.outcome</code>,
      </li>
      <li>
        {plural(forge.min_cluster_size, "successful run")} of one procedure by{" "}
        {plural(forge.min_distinct_agents, "agent")} within {plural(forge.freshness_window_days, "day")}.
      </li>
    </ul>
    <p>
      The body of one such memory, for <code>POST /api/v1/memories</code>:
    </p>
    <Copyable text={EXAMPLE} />
  </Empty>
);
