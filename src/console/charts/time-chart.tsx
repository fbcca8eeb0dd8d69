import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../shell/theme.ts";
import { colourOf, cssColour } from "./colours.ts";

export interface Series {
  readonly name: string;
  /** One for each moment. */
  readonly values: readonly number[];
}

interface TimeChartProps {
  /** What the picture says, for whoever does not see it. */
  readonly label: string;
  /** Moments in epoch milliseconds, in order. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Bars on top of each other instead of lines. */
  readonly stacked?: boolean;
  readonly height?: number;
}

/** Figures over time, as lines or as bars on top of each other; a table says the same. */
export function TimeChart({ label, times, series, stacked = false, height = 180 }: TimeChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const shownTheme = theme.value;
  const asked = JSON.stringify([times, series, stacked, height, shownTheme]);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const plot = new uPlot(
      optionsOf(series, { stacked, width: box.clientWidth, height }),
      dataOf(times, series, stacked),
      box,
    );
    const sized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    sized.observe(box);
    return () => {
      sized.disconnect();
      plot.destroy();
    };
  }, [asked]);
  return (
    <figure class="chart">
      <div ref={ref} class="chart-box" role="img" aria-label={label} />
      {series.length > 1 && (
        <figcaption class="legend">
          {series.map(({ name }, i) => (
            <span key={name}>
              <span class="swatch" style={{ background: `var(--series-${(i % 8) + 1})` }} aria-hidden="true" /> {name}
            </span>
          ))}
        </figcaption>
      )}
      <details>
        <summary>As a table</summary>
        <div class="table-box chart-table">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, i) => (
                <tr key={time}>
                  <th scope="row">{new Date(time).toLocaleString("en")}</th>
                  {series.map(({ name, values }) => (
                    <td class="number" key={name}>
                      {values[i] ?? 0}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

const MS = 1_000;

/** uPlot's columns: seconds, then each series; where they are stacked, each with those before it under it. */
function dataOf(times: readonly number[], series: readonly Series[], stacked: boolean): uPlot.AlignedData {
  const under = times.map(() => 0);
  const columns = series.map(({ values }) =>
    times.map((_, i) => {
      const own = values[i] ?? 0;
      if (!stacked) return own;
      under[i] = (under[i] ?? 0) + own;
      return under[i] ?? 0;
    }),
  );
  // What lies on top is drawn first, so that the lower ones stand in front of it.
  return [times.map((time) => time / MS), ...(stacked ? columns.reverse() : columns)];
}

interface Look {
  readonly stacked: boolean;
  readonly width: number;
  readonly height: number;
}

function optionsOf(series: readonly Series[], { stacked, width, height }: Look): uPlot.Options {
  const axis = { stroke: cssColour("--dim"), grid: { stroke: cssColour("--line"), width: 1 }, ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  const drawn = series.map(({ name }, i) => ({
    label: name,
    stroke: colourOf(i),
    width: stacked ? 0 : 2,
    points: { show: false },
    ...(stacked ? { fill: colourOf(i) } : {}),
    ...(stacked && bars ? { paths: bars } : {}),
  }));
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.05)] } },
    axes: [axis, { ...axis, size: 44 }],
    series: [{}, ...(stacked ? drawn.reverse() : drawn)],
  };
}
