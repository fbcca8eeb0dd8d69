import { useEffect } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { nameOfFleet } from "../../../api/projects.ts";
import { useCall } from "../../../api/query.ts";
import type { ForgeRun } from "../../../api/schemas.gen.ts";
import { useAddress } from "../../../hooks/address.ts";
import { Badge, Button } from "../../../kit/controls.tsx";
import { Panel, Show } from "../../../kit/layout.tsx";
import { count, plural } from "../../../kit/numbers.ts";
import { Pair } from "../../../kit/pairs.tsx";
import { Time } from "../../../kit/time.tsx";
import { toast } from "../../../kit/toast.tsx";
import { identity } from "../../../shell/identity.ts";
import type { TabProps } from "../factory.tsx";
import { FactoryOff, FactorySwitch } from "../factory.tsx";
import { SplitView } from "../split-view.tsx";
import { ForgeNeeds } from "./forge-needs.tsx";
import { TRIGGERS } from "./forge-words.ts";
import { RunDetail } from "./run-detail.tsx";

const RUNS = 100;
const HOUR_MS = 3_600_000;
/** How often a run that goes on is looked at, where changes are not told as they happen. */
const LOOK_MS = 3_000;

/** What the Forge did, and how it is set off. */
export function ForgeTab({ factory, onTurned }: TabProps) {
  const { values, set } = useAddress();
  const runs = useCall("listForgeRuns", { query: { limit: RUNS } }, ["forge"]);
  const goesOn = runs.data?.items.some(({ finished_at, error }) => finished_at === null && error === null) ?? false;
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(runs.reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [goesOn]);
  const id = values.run ?? null;
  return (
    <>
      {factory.enabled ? (
        <Schedule factory={factory} last={runs.data?.items[0] ?? null} onRun={runs.reload} onTurned={onTurned} />
      ) : (
        <FactoryOff
          onTurned={onTurned}
          what="On, the Forge compares what agents did, and writes down what several of them did alike and well."
        />
      )}
      <Show of={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <Panel>
              <ForgeNeeds factory={factory} title="The Forge has not run yet." />
            </Panel>
          ) : (
            <SplitView
              label="Runs of the Forge"
              isOpen={id !== null}
              onBack={() => set({ run: null })}
              list={items.map((run) => (
                <RunRow key={run.id} run={run} isOpen={run.id === id} onOpen={() => set({ run: run.id })} />
              ))}
            >
              {id !== null && <RunDetail run={items.find((run) => run.id === id) ?? null} factory={factory} />}
            </SplitView>
          )
        }
      </Show>
    </>
  );
}

interface ScheduleProps extends TabProps {
  readonly last: ForgeRun | null;
  readonly onRun: () => void;
}

/** How often the Forge runs by itself, what it asks of a cluster, and a way to set it off now. */
function Schedule({ factory: { forge, sentinel }, last, onRun, onTurned }: ScheduleProps) {
  const run = async () => {
    await call("triggerLifecycle", {
      path: { action: "forge-distill" },
      body: { org_id: identity.value?.tenant_id ?? "default" },
    });
    toast("The Forge was set off.");
    onRun();
  };
  const due = last && new Date(Date.parse(last.requested_at) + forge.cron_interval_hours * HOUR_MS).toISOString();
  return (
    <Panel
      title="Schedule"
      actions={
        <>
          <Button kind="primary" onClick={run}>
            Run now
          </Button>
          <FactorySwitch onTurned={onTurned} />
        </>
      }
    >
      <dl class="pairs">
        <Pair name="Runs by itself">
          every {plural(forge.cron_interval_hours, "hour")}
          {due && (
            <>
              , the next time <Time at={due} />
            </>
          )}
        </Pair>
        <Pair name="A skill needs">
          {plural(forge.min_cluster_size, "successful run")} of one procedure by{" "}
          {plural(forge.min_distinct_agents, "agent")} within {plural(forge.freshness_window_days, "day")}
        </Pair>
        <Pair name="Writes">
          at most {plural(forge.max_writes_per_run, "skill")} a run;{" "}
          {sentinel.auto_promote_clean ? "clean ones are delivered without your word" : "each waits in the inbox"}
        </Pair>
      </dl>
      <p class="dim">
        Change it by <code>cairn settings set skills_factory.forge.cron_interval_hours 12</code>; the other names are in{" "}
        <code>cairn settings get</code>.
      </p>
    </Panel>
  );
}

interface RunRowProps {
  readonly run: ForgeRun;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const RunRow = ({ run, isOpen, onOpen }: RunRowProps) => (
  <button type="button" class="skills-row" data-row aria-current={isOpen} onClick={onOpen}>
    <span class="row">
      <strong>
        <Time at={run.requested_at} />
      </strong>
      {run.error !== null && <Badge word="failed" />}
      {run.error === null && run.finished_at === null && <Badge word={run.started_at ? "runs" : "waits"} tone="warn" />}
      {run.written > 0 && <Badge word={`${count(run.written)} written`} tone="good" />}
    </span>
    <small class="dim">
      {TRIGGERS[run.trigger]} · {plural(run.traces, "agent run")} read · {plural(run.clusters.length, "cluster")}
      {run.fleet_id !== null && ` · project ${nameOfFleet(run.fleet_id)}`}
    </small>
  </button>
);
