import { nameOfFleet } from "../../../api/projects.ts";
import type { ForgeCluster, ForgeRun } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Empty, Panel } from "../../../kit/layout.tsx";
import { count, duration } from "../../../kit/numbers.ts";
import { Pair } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import type { WithFactory } from "../factory.tsx";
import { skillHref } from "../skill-facts.tsx";
import { ForgeNeeds } from "./forge-needs.tsx";
import { becameOf, TRIGGERS } from "./forge-words.ts";

/** One run of the Forge: what it read, and what became of each cluster. */
export function RunDetail({ run, factory }: WithFactory & { run: ForgeRun | null }) {
  if (!run)
    return (
      <Panel>
        <Empty title="This run is not among the newest." />
      </Panel>
    );
  return (
    <>
      <Panel title="Run">
        {run.error !== null && (
          <p class="problem">
            <Text value={run.error} />
          </p>
        )}
        <dl class="pairs">
          <Pair name="When">
            <Time at={run.requested_at} />, {TRIGGERS[run.trigger]}
            {run.fleet_id !== null && (
              <>
                {" "}
                for project <Text value={nameOfFleet(run.fleet_id)} />
              </>
            )}
          </Pair>
          <Pair name="Took">{tookOf(run)}</Pair>
          <Pair name="Runs of agents">
            {count(run.traces)} read: {count(run.successes)} succeeded, {count(run.failures)} failed, of{" "}
            {count(run.unknown)} the end is unknown
          </Pair>
          <Pair name="Clusters">
            {count(run.written)} written, {count(run.skipped)} skipped
          </Pair>
        </dl>
      </Panel>
      <Panel title="Clusters">
        {run.clusters.length > 0 ? (
          <Clusters run={run} factory={factory} />
        ) : (
          run.finished_at !== null && <ForgeNeeds factory={factory} title="It found nothing that agents did alike." />
        )}
      </Panel>
    </>
  );
}

function tookOf({ started_at, finished_at }: ForgeRun): string {
  if (started_at === null) return "It waits for its turn.";
  if (finished_at === null) return "It goes on.";
  const ms = Date.parse(finished_at) - Date.parse(started_at);
  return ms < 1_000 ? `${ms} ms` : duration(ms / 1_000);
}

const Clusters = ({ run, factory }: WithFactory & { run: ForgeRun }) => (
  <div class="table-box">
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">
            Runs
          </th>
          <th scope="col" class="number">
            Agents
          </th>
          <th scope="col">Outcome</th>
          <th scope="col">Why</th>
          <th scope="col">Skill</th>
        </tr>
      </thead>
      <tbody>
        {run.clusters.map((cluster, i) => (
          <ClusterRow key={i} cluster={cluster} factory={factory} />
        ))}
      </tbody>
    </table>
  </div>
);

const ClusterRow = ({ cluster, factory }: WithFactory & { cluster: ForgeCluster }) => (
  <tr>
    <td class="number">{count(cluster.size)}</td>
    <td class="number">{count(cluster.distinct_agents)}</td>
    <td>
      <Badge word={cluster.outcome} tone={cluster.outcome === "written" ? "good" : ""} />
    </td>
    <td>
      <Text value={becameOf(cluster, factory)} max={600} />
    </td>
    <td>
      {cluster.doc_id !== null && (
        <a href={skillHref(cluster.doc_id)}>
          <Text value={cluster.doc_id} />
        </a>
      )}
    </td>
  </tr>
);
