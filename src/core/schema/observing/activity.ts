import { z } from "zod";
import { UtcOffset } from "../common.ts";
import { PictureQuery } from "./picture.ts";

/** Agents that are told apart. */
export const AGENTS_SHOWN = 12;

export const ActivityQuery = PictureQuery.extend({
  days: z.int().min(1).max(366).default(30).describe("So many days, today last."),
  utc_offset_minutes: UtcOffset.default(0).describe(
    "How far the reader's clock is ahead of UTC: a day is the reader's, from midnight to midnight.",
  ),
});
export type ActivityQuery = z.infer<typeof ActivityQuery>;

export const DayOfWriting = z.object({
  day: z.string().meta({ format: "date" }),
  total: z.int(),
  by_agent: z.record(z.string(), z.int()).describe("Of the agents in `agents`, those that wrote something."),
  others: z.int().describe("Of all other agents."),
});
export type DayOfWriting = z.infer<typeof DayOfWriting>;

export const RequestBucket = z.object({
  at: z.string().meta({ format: "date-time" }).describe("When it begins."),
  writes: z.int(),
  searches: z.int(),
  reads: z.int(),
  failed: z.int().describe("Answered with a status of 400 or more, whatever was asked; counted nowhere else."),
  search_ms: z.number().nullable().describe("Mean milliseconds of its searches; null without any."),
});
export type RequestBucket = z.infer<typeof RequestBucket>;

export const RequestFigures = z.object({
  last_hour: z.array(RequestBucket).describe("A minute each, oldest first; the last one is not over."),
  last_day: z.array(RequestBucket).describe("Ten minutes each, likewise."),
});
export type RequestFigures = z.infer<typeof RequestFigures>;

export const Activity = z
  .object({
    days: z
      .array(DayOfWriting)
      .describe("Memories by the day they were written on, deleted ones left out; oldest day first."),
    agents: z.array(z.string()).max(AGENTS_SHOWN).describe("The agents that wrote most in these days, busiest first."),
    requests: RequestFigures.nullable().describe(
      "What this server process answered for all tenants since its start; null for who does not own the machine. Calls of the operations of Activity are not counted.",
    ),
  })
  .meta({ id: "Activity" });
export type Activity = z.infer<typeof Activity>;
