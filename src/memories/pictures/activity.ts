import { DAY_MS, toTimestamp } from "../../core/kernel/clock.ts";
import { createYielder } from "../../core/kernel/event-loop.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { WrittenBy } from "../../core/ports/observing/picture-rows.ts";
import type { Activity, ActivityQuery, DayOfWriting } from "../../core/schema/observing/activity.ts";
import { AGENTS_SHOWN } from "../../core/schema/observing/activity.ts";
import { scopedFilter } from "../scope.ts";

/** Days that are counted at once, a millisecond for each thousand rows. */
const DAYS_PER_STEP = 16;
const MINUTE_MS = 60_000;

/**
 * What was written on each day, of what the caller sees, and what this process answered lately, for the owner of the machine.
 * Throws as `scopedFilter` does.
 */
export async function readActivity(ctx: Ctx, query: ActivityQuery): Promise<Activity> {
  const filter = await scopedFilter(ctx, query);
  const midnights = midnightsOf(query, ctx.clock.now());
  const instants = midnights.map((wall_ms) => toTimestamp(wall_ms - query.utc_offset_minutes * MINUTE_MS));
  const written: (readonly WrittenBy[])[] = [];
  const yieldIfDue = createYielder();
  for (let from = 0; from < query.days; from += DAYS_PER_STEP) {
    const span = instants.slice(from, from + DAYS_PER_STEP + 1);
    written.push(...(await ctx.storage.pictures.writtenBetween(filter, span)));
    await yieldIfDue();
  }
  const agents = busiest(written.flat());
  const shown = new Set(agents);
  return {
    days: written.map((counts, i) => ({ day: dayOf(midnights[i] ?? 0), ...tally(counts, shown) })),
    agents,
    requests: ctx.principal.owner ? ctx.requestCounts.figures() : null,
  };
}

/** The midnights between which so many days lie, today last, as the reader's clock on the wall shows them. */
function midnightsOf({ days, utc_offset_minutes }: ActivityQuery, now: number): number[] {
  const today = Math.floor((now + utc_offset_minutes * MINUTE_MS) / DAY_MS);
  return Array.from({ length: days + 1 }, (_, i) => (today - days + 1 + i) * DAY_MS);
}

const dayOf = (midnight: number): string => toTimestamp(midnight).slice(0, "0000-00-00".length);

/** Those who wrote most, most first; by name where they wrote as much. */
function busiest(counts: readonly WrittenBy[]): string[] {
  const totals = new Map<string, number>();
  for (const { agent_id, memory_count } of counts) totals.set(agent_id, (totals.get(agent_id) ?? 0) + memory_count);
  return [...totals]
    .sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))
    .slice(0, AGENTS_SHOWN)
    .map(([agent_id]) => agent_id);
}

function tally(counts: readonly WrittenBy[], shown: ReadonlySet<string>): Omit<DayOfWriting, "day"> {
  const sum = (some: readonly WrittenBy[]) => some.reduce((total, { memory_count }) => total + memory_count, 0);
  const told = counts.filter(({ agent_id }) => shown.has(agent_id));
  const total = sum(counts);
  return {
    total,
    by_agent: Object.fromEntries(told.map(({ agent_id, memory_count }) => [agent_id, memory_count])),
    others: total - sum(told),
  };
}
