const counted = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 12,345 */
export const count = (value: number): string => counted.format(value);
/** 12.3K */
export const brief = (value: number): string =>
  Math.abs(value) < 10_000 ? counted.format(value) : short.format(value);
/** 0.734 as 0.73 */
export const decimals = (value: number, places = 2): string => value.toFixed(places);
/** One or many: `plural(2, "memory", "memories")` is "2 memories". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const SIZES = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes as people read them: 1,234,567 is 1.2 MB. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(value) / 3));
  return `${power === 0 ? value : (value / 1000 ** power).toFixed(1)} ${SIZES[power]}`;
}

/** Seconds as people say them: 3720 is 1 h 2 min. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
