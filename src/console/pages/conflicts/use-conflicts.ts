import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { onChange } from "../../api/live.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { Conflict } from "../../api/schemas.gen.ts";
import type { ConflictState } from "./words.ts";

export interface Asked {
  readonly state: ConflictState;
  readonly fleet_id: string;
}

interface Found {
  readonly items: readonly Conflict[];
  readonly next_cursor: string | null;
  readonly open_count: number;
}

export interface Conflicts {
  /** Null before the first page has come. */
  readonly data: Found | null;
  readonly problem: CallProblem | null;
  readonly loading: boolean;
  loadMore(): void;
  reload(): void;
  /** Takes one away that no longer is in the state asked for, and fetches what there is now. */
  drop(conflict: Conflict): void;
}

const PAGE = 20;
const NOTHING = { data: null, problem: null, loading: true } as const;

/** By what a finding is told from others. */
export const keyOf = ({ newer, older }: Conflict): string => `${newer.id} ${older.id}`;

/** Findings in one state, page after page; what is shown is fetched anew when findings change on the server. */
export function useConflicts({ state, fleet_id }: Asked): Conflicts {
  const [known, setKnown] = useState<Pick<Conflicts, "data" | "problem" | "loading">>(NOTHING);
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | null>(null);
  const shown = useRef<{ asked: string; count: number }>({ asked: "", count: 0 });
  const asked = `${state} ${fleet_id}`;

  const load = (before: Found | null, count: number) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setKnown((now) => ({ ...now, loading: true }));
    fetchUpTo({ state, fleet_id }, before, count, abort.signal).then(
      (data) => {
        shown.current = { asked, count: data.items.length };
        setKnown({ data, problem: null, loading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setKnown((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
  };
  useEffect(() => {
    const isSame = shown.current.asked === asked;
    if (!isSame) setKnown(NOTHING);
    load(null, isSame ? shown.current.count : 0);
    return () => running.current?.abort();
  }, [asked, round]);
  const reload = () => setRound((n) => n + 1);
  useEffect(() => onChange(["conflicts"], reload), []);
  return {
    ...known,
    reload,
    loadMore: () => {
      if (known.data?.next_cursor && !known.loading) load(known.data, 0);
    },
    drop: (conflict) => {
      setKnown((now) => ({ ...now, data: now.data && without(now.data, keyOf(conflict)) }));
      reload();
    },
  };
}

const without = (found: Found, key: string): Found => ({
  ...found,
  items: found.items.filter((one) => keyOf(one) !== key),
});

/** Fetches page after page, at least one, until there are as many. */
async function fetchUpTo(asked: Asked, before: Found | null, count: number, signal: AbortSignal): Promise<Found> {
  const cursor = before?.next_cursor;
  const query = { ...asked, limit: PAGE, ...(cursor ? { cursor } : {}) };
  const page = await call("listConflicts", { query }, signal);
  const found = { ...page, items: [...(before?.items ?? []), ...page.items] };
  return found.next_cursor !== null && found.items.length < count ? fetchUpTo(asked, found, count, signal) : found;
}
