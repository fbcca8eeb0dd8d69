import type { RequestFigures } from "../../schema/observing/activity.ts";

/** What is counted apart. */
export type RequestKind = "writes" | "searches" | "reads" | "failed";

/** The requests that this process answered lately, in bounded memory. */
export interface RequestCounts {
  /** Counts one answered request and the milliseconds it took. */
  count(kind: RequestKind, took_ms: number): void;
  /** What was counted in the hour and in the day up to now. */
  figures(): RequestFigures;
}
