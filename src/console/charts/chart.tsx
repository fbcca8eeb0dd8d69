import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { count } from "../kit/numbers.ts";
import { ChartTable } from "./chart-table.tsx";
import { Legend } from "./legend.tsx";
import type { Drawing, Series } from "./plot.ts";
import { columnsOf, optionsOf } from "./plot.ts";
import { shownScheme } from "./scheme.ts";

interface ChartProps extends Drawing {
  /** What the picture says, for whoever does not see it. */
  readonly label: string;
  /** What a place is, at the head of the table. */
  readonly head: string;
  /** A place in full. */
  readonly say: (place: number) => string;
  /** A value in full. */
  readonly sayValue?: ((value: number) => string) | undefined;
}

/** Figures along an axis, as lines or as bars on top of each other. What one points at is told below; a table says it all. */
export function Chart({ label, head, say, sayValue = count, ...drawing }: ChartProps) {
  const { places, series, stacked, height } = drawing;
  const ref = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const asked = JSON.stringify([places, series, stacked, height, shownScheme()]);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const plot = new uPlot(optionsOf(drawing, box.clientWidth, setPointed), columnsOf(drawing), box);
    const sized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    sized.observe(box);
    return () => {
      sized.disconnect();
      plot.destroy();
    };
  }, [asked]);
  const saidValue = (value: number | null) => (value === null ? "none" : sayValue(value));
  const place = pointed === null ? undefined : places[pointed];
  return (
    <figure class="chart">
      <div ref={ref} class="chart-box" style={{ height: `${height}px` }} role="img" aria-label={label} />
      <Legend
        names={series.map(({ name }) => name)}
        values={pointed === null ? null : series.map(valueAt(pointed, saidValue))}
        at={place === undefined ? null : say(place)}
      />
      <ChartTable label={label} head={head} rows={places.map(say)} series={series} say={saidValue} />
    </figure>
  );
}

const valueAt =
  (index: number, say: (value: number | null) => string) =>
  ({ values }: Series): string =>
    say(values[index] ?? null);
