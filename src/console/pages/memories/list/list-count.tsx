import { useCall } from "../../../api/query.ts";
import { count } from "../../../kit/numbers.ts";
import type { Feed } from "./feed.ts";
import { countedQuery } from "./filters.ts";

/** How much of the list was fetched, and of how much where that is counted. */
export function ListCount({ feed, values }: { feed: Feed; values: Readonly<Record<string, string>> }) {
  const counted = countedQuery(values);
  const stats = useCall("memoryStats", counted && { query: counted }, ["memories"]);
  const loaded = feed.rows.value.length;
  const isWhole = feed.state.value === "whole";
  const total = isWhole ? loaded : counted && stats.data && totalOf(stats.data, values);
  return (
    <p class="dim small list-count">
      {isWhole ? `${count(loaded)} in all` : `${count(loaded)} loaded`}
      {!isWhole && total !== null && total >= loaded && ` of ${count(total)}`}
    </p>
  );
}

interface Counts {
  readonly total: number;
  readonly total_including_deleted: number;
  readonly by_agent: Readonly<Record<string, number>>;
}

function totalOf(counts: Counts, { written_by, include_deleted }: Readonly<Record<string, string>>): number {
  if (written_by) return counts.by_agent[written_by] ?? 0;
  return include_deleted ? counts.total_including_deleted : counts.total;
}
