import { useRef } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { Conflict, ConflictPage } from "../../api/schemas.gen.ts";
import type { Paged } from "../../hooks/paged.ts";
import { useParts } from "../../hooks/paged.ts";
import type { ConflictState } from "./words.ts";

export interface Asked {
  readonly state: ConflictState;
  readonly fleet_id: string;
}

export interface Conflicts extends Pick<Paged<Conflict>, "problem" | "loading" | "loadMore" | "reload" | "drop"> {
  /** Null before the first page has come. */
  readonly data:
    | ({ readonly items: readonly Conflict[]; readonly hasMore: boolean } & Pick<ConflictPage, Counted>)
    | null;
}

const PAGE = 20;

type Counted = "open_count" | "possible_count";

/** By what a finding is told from others. */
export const keyOf = ({ newer, older }: Conflict): string => `${newer.id} ${older.id}`;

/** Findings in one state, page after page; what is shown is fetched anew when findings change on the server. */
export function useConflicts({ state, fleet_id }: Asked): Conflicts {
  const counts = useRef<Pick<ConflictPage, Counted>>({ open_count: 0, possible_count: 0 });
  const fetchPart = async (cursor: string | null, signal: AbortSignal) => {
    const query = { state, fleet_id, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page = await call("listConflicts", { query }, signal);
    const { items, next_cursor, open_count, possible_count } = page;
    counts.current = { open_count, possible_count };
    return { rows: items, next: next_cursor };
  };
  const paged = useParts(`${state} ${fleet_id}`, fetchPart, { keyOf, topics: ["conflicts"] });
  const { data, hasMore } = paged;
  return { ...paged, data: data && { items: data, hasMore, ...counts.current } };
}
