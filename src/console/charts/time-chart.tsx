import { Chart } from "./chart.tsx";
import type { Series } from "./plot.ts";

interface TimeChartProps {
  /** What the picture says, for whoever does not see it. */
  readonly label: string;
  /** Moments in epoch milliseconds, in order. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Whether moments are days or times of the day. */
  readonly by?: "time" | "day";
  /** Bars on top of each other instead of lines. */
  readonly stacked?: boolean;
  readonly height?: number;
  /** A value as its mark on the axis; count-like without. */
  readonly markValue?: (value: number) => string;
  /** A value in full, with its unit. */
  readonly sayValue?: (value: number) => string;
}

const MS = 1_000;
const MARKS = {
  time: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  day: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" }),
};
const SAID = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: "full" }),
};

/** Figures over time, as lines or as bars on top of each other; a table says the same. */
export const TimeChart = ({ times, by = "time", stacked = false, height = 180, ...rest }: TimeChartProps) => (
  <Chart
    {...rest}
    head="When"
    places={times.map((time) => time / MS)}
    isTime
    stacked={stacked}
    height={height}
    mark={(place) => MARKS[by].format(place * MS)}
    say={(place) => SAID[by].format(place * MS)}
  />
);
