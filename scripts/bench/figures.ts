/** One figure of a run, printed as one JSON line. */
export interface Measurement {
  /** `<what>.<which>`; the unit is the end of the name. */
  readonly name: string;
  /** What was measured: the server from source, the executable, or parts of it inside the bench itself. */
  readonly target: TargetName;
  /** Memories stored at the time. */
  readonly rows: number;
  /** The median where there are several samples, else the one value. */
  readonly value: number;
  readonly p95: number | null;
  readonly max: number | null;
  readonly samples: number;
  readonly note: string | null;
  /** Prints this figure again. */
  readonly command: string;
}
export type TargetName = "source" | "binary" | "in-process";

/** What every figure of a section shares. */
export interface Section {
  readonly target: TargetName;
  readonly rows: number;
  readonly command: string;
}

/** A figure of one value. */
export const single = (section: Section, name: string, value: number, note: string | null = null): Measurement => ({
  name,
  ...section,
  value: rounded(value),
  p95: null,
  max: null,
  samples: 1,
  note,
});

/** Median, 95th percentile and maximum of samples. */
export function spread(
  section: Section,
  name: string,
  samples: readonly number[],
  note: string | null = null,
): Measurement {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    ...single(section, name, share(sorted, 0.5), note),
    p95: rounded(share(sorted, 0.95)),
    max: rounded(sorted.at(-1) ?? Number.NaN),
    samples: samples.length,
  };
}

/** The value below which a share of the sorted samples lies. */
export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

const rounded = (value: number): number => Number(value.toFixed(2));

/** Milliseconds a piece of work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
