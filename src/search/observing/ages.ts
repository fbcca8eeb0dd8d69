import { DAY_MS } from "../../core/kernel/clock.ts";
import { createYielder } from "../../core/kernel/event-loop.ts";
import { rounded } from "../../core/kernel/text.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { AgedRow } from "../../core/ports/observing/picture-rows.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import type { AgeBucket, MemoryAges } from "../../core/schema/observing/ages.ts";
import { AGE_BOUNDS } from "../../core/schema/observing/ages.ts";
import type { PictureQuery } from "../../core/schema/observing/picture.ts";
import { scopedFilter } from "../../memories/scope.ts";
import { DECAY_DAYS, freshnessOf } from "../freshness.ts";

/** Rows read at once: some milliseconds. */
const ROWS_PER_STEP = 1_000;

/** The live memories that the caller sees, by age and type: how fresh they are, and how many were ever recalled. Throws as `scopedFilter` does. */
export async function memoryAges(ctx: Ctx, query: PictureQuery): Promise<MemoryAges> {
  const filter = { ...(await scopedFilter(ctx, query)), statuses: LIVE_STATUSES };
  const now = ctx.clock.now();
  const buckets = [...AGE_BOUNDS, null].map((up_to_days) => ({ up_to_days, by_type: new Map<MemoryType, Sums>() }));
  const yieldIfDue = createYielder();
  let after: AgedRow | null = null;
  do {
    const rows: AgedRow[] = await ctx.storage.pictures.aged(filter, { after, limit: ROWS_PER_STEP });
    for (const row of rows) add(buckets[bucketOf(row, now)]?.by_type, row, now);
    after = rows.length < ROWS_PER_STEP ? null : (rows.at(-1) ?? null);
    await yieldIfDue();
  } while (after !== null);
  const types = new Set(buckets.flatMap(({ by_type }) => [...by_type.keys()]));
  return {
    buckets: buckets.map(toBucket),
    decay: [...types].sort().map((memory_type) => ({ memory_type, days: DECAY_DAYS[memory_type] })),
  };
}

interface Sums {
  total: number;
  recalled: number;
  freshness: number;
}

/** What a clock that stepped back makes younger than now is of now. */
function bucketOf({ created_at }: AgedRow, now: number): number {
  const age_days = (now - Date.parse(created_at)) / DAY_MS;
  const index = AGE_BOUNDS.findIndex((bound) => age_days < bound);
  return index < 0 ? AGE_BOUNDS.length : index;
}

function add(by_type: Map<MemoryType, Sums> | undefined, row: AgedRow, now: number): void {
  const sums = by_type?.get(row.memory_type) ?? { total: 0, recalled: 0, freshness: 0 };
  sums.total++;
  if (row.recall_count > 0) sums.recalled++;
  sums.freshness += freshnessOf(row, now);
  by_type?.set(row.memory_type, sums);
}

function toBucket({
  up_to_days,
  by_type,
}: {
  readonly up_to_days: AgeBucket["up_to_days"];
  readonly by_type: ReadonlyMap<MemoryType, Sums>;
}): AgeBucket {
  const all: Sums = { total: 0, recalled: 0, freshness: 0 };
  for (const { total, recalled, freshness } of by_type.values()) {
    all.total += total;
    all.recalled += recalled;
    all.freshness += freshness;
  }
  const types = [...by_type].sort(([a, some], [b, more]) => more.total - some.total || (a < b ? -1 : 1));
  return {
    up_to_days,
    ...toFigures(all),
    by_type: types.map(([memory_type, sums]) => ({ memory_type, ...toFigures(sums) })),
  };
}

const toFigures = ({ total, recalled, freshness }: Sums) => ({
  total,
  recalled,
  mean_freshness: total === 0 ? null : rounded(freshness / total),
});
