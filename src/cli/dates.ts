import { once } from "../core/kernel/once.ts";

/** Units of time from long to short, in milliseconds. */
const UNITS = [
  ["year", 365.25 * 86_400_000],
  ["month", 30.44 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const words = once(() => new Intl.RelativeTimeFormat("en", { numeric: "auto" }));

/** A moment as people say it: `3 days ago`, `yesterday`, `in 2 hours`, `now`; what is no date stays as it is. `now` in epoch ms. */
export function sayDate(iso: string, now: number): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const apart = time - now;
  const unit = UNITS.find(([, ms]) => Math.abs(apart) >= ms);
  return unit ? words().format(Math.round(apart / unit[1]), unit[0]) : "now";
}
