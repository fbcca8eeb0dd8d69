import { z } from "zod";
import { countedText } from "../common.ts";

/** Levels of the lines that are kept. */
export const KEPT_LEVELS = ["info", "warn", "error"] as const;
const KeptLevel = z.enum(KEPT_LEVELS);
export type KeptLevel = z.infer<typeof KeptLevel>;

const LINES_ASKED_MAX = 1_000;
const EVENT_MAX = 200;

export const RecentLogsQuery = z.object({
  level: KeptLevel.default("info").describe("The least level of a line."),
  event: countedText(1, EVENT_MAX).optional().describe("Only lines of this event, such as `request` or `job`."),
  limit: z.int().min(1).max(LINES_ASKED_MAX).default(200),
  after: z
    .int()
    .min(0)
    .optional()
    .describe("Only lines after this `seq`: `next_after` of the reply before. Left out, the newest lines."),
});
export type RecentLogsQuery = z.infer<typeof RecentLogsQuery>;

export const LogLine = z
  .object({
    seq: z.int().describe("Counts the lines of this server from 1."),
    at: z.string(),
    level: KeptLevel,
    event: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: "LogLine" });
export type LogLine = z.infer<typeof LogLine>;

export const RecentLogs = z
  .object({
    lines: z.array(LogLine).describe("Newest last."),
    dropped: z.int().describe("Lines after `after`, or since the start, that are no longer kept."),
    next_after: z.int().describe("Sent as `after`, asks for what follows."),
  })
  .meta({ id: "RecentLogs" });
export type RecentLogs = z.infer<typeof RecentLogs>;
