import { now } from "./clock.ts";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["year", 365.25 * 86_400_000],
  ["month", 30.44 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** How long ago or ahead a moment is, as people say it. */
export function said(time_ms: number, now_ms: number): string {
  const ahead = time_ms - now_ms;
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(ahead) >= length) ?? [];
  return unit === undefined || ms === undefined ? "just now" : relative.format(Math.round(ahead / ms), unit);
}

const dated = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The date and the time of a moment, and how long ago that is. */
export const Dated = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <span>
      {dated.format(Date.parse(at))} (<Time at={at} />)
    </span>
  ) : (
    <Time at={at} />
  );

/** A moment as people say it, the exact one on hover. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="dim">never</span>;
  const time_ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${exact.format(time_ms)} (${at})`}>
      {said(time_ms, now.value)}
    </time>
  );
}
