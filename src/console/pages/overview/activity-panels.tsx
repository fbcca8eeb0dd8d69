import type { Loaded } from "../../api/query.ts";
import { useCall } from "../../api/query.ts";
import type { Activity, Agent } from "../../api/schemas.gen.ts";
import { SERIES_MAX } from "../../charts/colours.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { useAddress } from "../../hooks/address.ts";
import { now } from "../../kit/clock.ts";
import { Tabs } from "../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { brief, count, decimals, plural } from "../../kit/numbers.ts";

const MINUTE_MS = 60_000;
const CHANGES_MS = 10_000;
const DAYS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "365 days"],
] as const;
const SPANS = [
  ["hour", "Last hour"],
  ["day", "Last day"],
] as const;

/** What was asked of the server, and what was written on which day. */
export function ActivityPanels({ agents }: { agents: readonly Agent[] }) {
  const { values } = useAddress();
  const [days] = DAYS.find(([name]) => name === values.days) ?? DAYS[0];
  const query = { days: Number(days), utc_offset_minutes: -new Date(now.value).getTimezoneOffset() };
  const activity = useCall("activity", { query }, ["memories"], { least_ms: CHANGES_MS, most_ms: MINUTE_MS });
  return (
    <div class="panels">
      <WritingPanel activity={activity} agents={agents} days={days} />
      {activity.data?.requests !== null && <RequestsPanel activity={activity} />}
    </div>
  );
}

interface WritingPanelProps {
  readonly activity: Loaded<Activity>;
  readonly agents: readonly Agent[];
  readonly days: (typeof DAYS)[number][0];
}

function WritingPanel({ activity, agents, days }: WritingPanelProps) {
  const { set } = useAddress();
  const names = new Map(agents.map(({ agent_id, display_name }) => [agent_id, display_name ?? agent_id]));
  return (
    <Panel
      title="Memories written by day"
      actions={
        <Tabs
          label="So many days"
          tabs={DAYS}
          current={days}
          onChange={(chosen) => set({ days: chosen === "30" ? null : chosen }, { replace: true })}
        />
      }
    >
      <Show of={activity} lines={6}>
        {({ days: written, agents: busiest }) => (
          <TimeChart
            label={`Memories written on each of the last ${written.length} days, by agent`}
            by="day"
            stacked
            height={200}
            times={written.map(({ day }) => Date.parse(`${day}T00:00`))}
            series={writers(written, busiest, names)}
          />
        )}
      </Show>
    </Panel>
  );
}

/** A series for each of the busiest agents that colours tell apart, and one for all others. */
function writers(days: Activity["days"], busiest: readonly string[], names: ReadonlyMap<string, string>) {
  const shown = busiest.slice(0, SERIES_MAX - 1);
  const own = shown.map((agent) => ({
    name: names.get(agent) ?? agent,
    values: days.map(({ by_agent }) => by_agent[agent] ?? 0),
  }));
  const rest = days.map(({ total, by_agent }) => shown.reduce((left, agent) => left - (by_agent[agent] ?? 0), total));
  return rest.some((value) => value > 0) ? [...own, { name: "all others", values: rest }] : own;
}

function RequestsPanel({ activity }: { activity: Loaded<Activity> }) {
  const { values, set } = useAddress();
  const [span] = SPANS.find(([name]) => name === values.span) ?? SPANS[0];
  return (
    <Panel
      title="Requests"
      actions={
        <Tabs
          label="Span of time"
          tabs={SPANS}
          current={span}
          onChange={(chosen) => set({ span: chosen === "hour" ? null : chosen }, { replace: true })}
        />
      }
    >
      <Show of={activity} lines={6}>
        {({ requests }) =>
          requests && <Requests buckets={span === "hour" ? requests.last_hour : requests.last_day} span={span} />
        }
      </Show>
    </Panel>
  );
}

type Buckets = NonNullable<Activity["requests"]>["last_hour"];

function Requests({ buckets, span }: { buckets: Buckets; span: "hour" | "day" }) {
  const times = buckets.map(({ at }) => Date.parse(at));
  const step = span === "hour" ? "minute" : "ten minutes";
  const sum = (of: "writes" | "searches" | "reads" | "failed") => buckets.reduce((all, one) => all + one[of], 0);
  const searches = sum("searches");
  if (sum("writes") + searches + sum("reads") + sum("failed") === 0)
    return <Empty title={`No requests in the last ${span}, or since the server's start.`} />;
  return (
    <div class="stack">
      <TimeChart
        label={`Requests by the ${step}: ${count(sum("writes"))} writes, ${plural(searches, "search", "searches")}, ${count(sum("reads"))} reads, ${count(sum("failed"))} failed in the last ${span}`}
        times={times}
        height={140}
        series={(["writes", "searches", "reads", "failed"] as const).map((name) => ({
          name,
          values: buckets.map((one) => one[name]),
        }))}
      />
      {searches > 0 && (
        <TimeChart
          label={`Mean milliseconds of a search by the ${step}`}
          times={times}
          height={100}
          series={[{ name: "mean ms of a search", values: buckets.map(({ search_ms }) => search_ms) }]}
          markValue={brief}
          sayValue={(value) => `${decimals(value, 1)} ms`}
        />
      )}
    </div>
  );
}
