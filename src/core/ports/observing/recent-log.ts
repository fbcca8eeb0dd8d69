import type { RecentLogs, RecentLogsQuery } from "../../schema/observing/logs.ts";

/** The latest lines of the log of this process, in memory. */
export interface RecentLog {
  read(query: RecentLogsQuery): RecentLogs;
}
