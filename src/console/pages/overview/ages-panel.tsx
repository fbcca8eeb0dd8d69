import { useCall } from "../../api/query.ts";
import type { MemoryAges } from "../../api/schemas.gen.ts";
import { Chart } from "../../charts/chart.tsx";
import { StackedTable } from "../../charts/stacked-table.tsx";
import { Panel, Show } from "../../kit/layout.tsx";
import { count, decimals, plural } from "../../kit/numbers.ts";

/** How old memories are, and how types lose their freshness. */
export function AgesPanel() {
  const ages = useCall("memoryAges", {}, ["memories"], { least_ms: 10_000 });
  return (
    <Panel title="Age and freshness" class="wide-panel">
      <Show of={ages} lines={8}>
        {({ buckets, decay }) => (
          <div class="split">
            <Ages buckets={buckets} />
            <Decay decay={decay} />
          </div>
        )}
      </Show>
    </Panel>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  1: "under a day",
  7: "under a week",
  30: "under a month",
  91: "under 3 months",
  182: "under 6 months",
  365: "under a year",
};

function Ages({ buckets }: Pick<MemoryAges, "buckets">) {
  const types = [...new Set(buckets.flatMap(({ by_type }) => by_type.map(({ memory_type }) => memory_type)))];
  const sumOf = (type: string) =>
    buckets.reduce((sum, { by_type }) => sum + (by_type.find((one) => one.memory_type === type)?.total ?? 0), 0);
  const sorted = types.toSorted((a, b) => sumOf(b) - sumOf(a));
  return (
    <StackedTable
      label="Memories by age and type"
      heads={["Age", "Memories", "Recalled", "Mean freshness"]}
      parts={sorted}
      rows={buckets.map(({ up_to_days, recalled, mean_freshness, by_type }) => ({
        name: up_to_days === null ? "older" : (NAMES[up_to_days] ?? `under ${up_to_days} days`),
        values: sorted.map((type) => by_type.find((one) => one.memory_type === type)?.total ?? 0),
        others: [count(recalled), mean_freshness === null ? "–" : decimals(mean_freshness)],
      }))}
    />
  );
}

/** Freshness by days since a memory was written: from 1 evenly down to 0. Types that go alike share a line. */
function Decay({ decay }: Pick<MemoryAges, "decay">) {
  const alike = [...Map.groupBy(decay, ({ days }) => days)].sort(([a], [b]) => a - b);
  const places = [0, ...alike.map(([days]) => days)];
  const lines = alike.map(([days, types]) => ({ days, name: types.map(({ memory_type }) => memory_type).join(", ") }));
  return (
    <div class="stack">
      <h3>How freshness is lost</h3>
      <Chart
        label={`Freshness by age: ${lines.map(({ name, days }) => `${name} at 0 after ${days} days`).join("; ")}`}
        head="Age"
        places={places}
        isTime={false}
        stacked={false}
        height={170}
        series={lines.map(({ name, days }) => ({
          name,
          values: places.map((place) => Math.max(0, 1 - place / days)),
        }))}
        mark={(place) => `${place} d`}
        markValue={(value) => decimals(value, 1)}
        say={(place) => plural(place, "day")}
        sayValue={(value) => decimals(value)}
      />
      <p class="dim small">
        Ranking weighs freshness: 1 when written, evenly less until it is 0. A memory that holds until a given end keeps
        it up to then.
      </p>
    </div>
  );
}
