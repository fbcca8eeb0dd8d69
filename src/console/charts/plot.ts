import uPlot from "uplot";
import { brief } from "../kit/numbers.ts";
import { colourOf, cssColour } from "./colours.ts";

export interface Series {
  readonly name: string;
  /** One for each place on the axis; null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface Drawing {
  /** Places on the horizontal axis, in order. */
  readonly places: readonly number[];
  readonly series: readonly Series[];
  /** Bars on top of each other instead of lines. */
  readonly stacked: boolean;
  readonly height: number;
  /** A place as its mark on the axis. */
  readonly mark: (place: number) => string;
  /** A value as its mark; count-like without. */
  readonly markValue?: ((value: number) => string) | undefined;
  /** Whether places are seconds since the epoch. */
  readonly isTime: boolean;
}

/**
 * uPlot's columns: places, then each series, the last one first, so that the first ones stand in front of it; where they are
 * stacked, each with those before it under it.
 */
export function columnsOf({ places, series, stacked }: Drawing): uPlot.AlignedData {
  const under = places.map(() => 0);
  const columns = series.map(({ values }) =>
    places.map((_, i) => {
      const own = values[i] ?? null;
      if (!stacked) return own;
      under[i] = (under[i] ?? 0) + (own ?? 0);
      return under[i] ?? 0;
    }),
  );
  return [[...places], ...columns.reverse()];
}

/** Steps of the axis of whole numbers. */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const POINT_PX = 5;

/** How uPlot draws it; `pointed` hears the index of the place that one points at. */
export function optionsOf(drawing: Drawing, width: number, pointed: (index: number | null) => void): uPlot.Options {
  const { places, series, stacked, height, mark, markValue, isTime } = drawing;
  const axis = { stroke: cssColour("--dim"), grid: { stroke: cssColour("--line"), width: 1 }, ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 40] });
  const drawn = series.map(({ name, values }, i) => ({
    label: name,
    stroke: colourOf(i),
    width: stacked ? 0 : 2,
    // A value between gaps is no line.
    points: { show: values.includes(null), size: POINT_PX, fill: colourOf(i) },
    ...(stacked ? { fill: colourOf(i) } : {}),
    ...(stacked && bars ? { paths: bars } : {}),
  }));
  const half = stacked ? ((places[1] ?? 0) - (places[0] ?? 0)) / 2 : 0;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
    scales: {
      x: { time: isTime, range: (_plot, low, high) => [low - half, high + half] },
      y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.05)] },
    },
    axes: [
      { ...axis, size: 30, values: (_plot, splits) => splits.map(mark) },
      {
        ...axis,
        size: 50,
        ...(markValue ? {} : { incrs: STEPS }),
        values: (_plot, splits) => splits.map(markValue ?? brief),
      },
    ],
    series: [{}, ...drawn.reverse()],
  };
}
