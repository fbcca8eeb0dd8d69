import { useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../api/live.ts";
import { onChange } from "../api/live.ts";
import type { CallProblem } from "../api/problem.ts";
import { asProblem } from "../api/problem.ts";

/** What is known of a list that comes in parts. */
export interface Paged<T> {
  /** Null before the first part has come. */
  readonly data: readonly T[] | null;
  readonly problem: CallProblem | null;
  readonly loading: boolean;
  /** There is more, which `loadMore` fetches. */
  readonly hasMore: boolean;
  /** The server left something out, whether or not it can be fetched. */
  readonly isCut: boolean;
  loadMore(): void;
  reload(): void;
  /** Takes away a row that is known to be gone, and fetches what there is now. */
  drop(row: T): void;
}

/** A part of a list, and where the next one begins. */
export interface Part<T, P> {
  readonly rows: readonly T[];
  readonly next: P | null;
  readonly isCut?: boolean;
}

type State<T, P> = Omit<Paged<T>, "loadMore" | "reload" | "drop" | "hasMore"> & { readonly next: P | null };
/** Fetches the part that begins at a place; null for the first one. */
type FetchPart<T, P> = (place: P | null, signal: AbortSignal) => Promise<Part<T, P>>;

const NOTHING = { data: null, problem: null, loading: true, isCut: false, next: null } as const;

/** A list of rows with ids that says by the header X-Next-Offset where it goes on; else as `useParts`. */
export const usePaged = <T extends { readonly id: string }>(
  asked: string | null,
  fetchFrom: (offset: number, signal: AbortSignal) => Promise<{ reply: readonly T[]; headers: Headers }>,
  topics: readonly Topic[] = [],
): Paged<T> =>
  useParts(
    asked,
    async (offset: number | null, signal): Promise<Part<T, number>> => {
      const { reply, headers } = await fetchFrom(offset ?? 0, signal);
      const header = headers.get("X-Next-Offset");
      const next = header === null ? null : Number(header);
      return { rows: reply, next, isCut: headers.get("X-Truncated") === "true" };
    },
    { keyOf: ({ id }) => id, topics },
  );

interface PartsOptions<T> {
  /** Tells rows apart: one that moved between two fetches comes twice. */
  readonly keyOf: (row: T) => string;
  readonly topics: readonly Topic[];
}

/**
 * A list that comes in parts. `asked` names what is listed (null lists nothing): when it changes, the list begins anew; when a
 * topic changes on the server, as much as was there is fetched again.
 */
export function useParts<T, P>(
  asked: string | null,
  fetchPart: FetchPart<T, P>,
  { keyOf, topics }: PartsOptions<T>,
): Paged<T> {
  const [state, setState] = useState<State<T, P>>(NOTHING);
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | null>(null);
  const shown = useRef<{ asked: string | null; count: number }>({ asked: null, count: 0 });

  const reload = () => setRound((n) => n + 1);
  const load = (before: readonly T[], place: P | null, count: number) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setState((now) => ({ ...now, loading: true }));
    fetchUpTo({ fetchPart, keyOf, count }, { before, place }, abort.signal).then(
      (found) => {
        if (abort.signal.aborted) return;
        shown.current = { asked, count: found.data.length };
        setState({ ...found, problem: null, loading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
  };
  useEffect(() => {
    const isSame = shown.current.asked === asked;
    if (!isSame) setState(NOTHING);
    if (asked === null) setState({ ...NOTHING, loading: false });
    else load([], null, isSame ? shown.current.count : 0);
    return () => running.current?.abort();
  }, [asked, round]);
  useEffect(() => onChange(topics, reload), [topics.join()]);
  const { next, ...known } = state;
  return {
    ...known,
    hasMore: next !== null,
    loadMore: () => {
      if (next !== null && !known.loading) load(known.data ?? [], next, 0);
    },
    reload,
    drop: (row) => {
      // What was asked for before this may still tell of the row.
      running.current?.abort();
      const without = (rows: readonly T[] | null) => rows?.filter((one) => keyOf(one) !== keyOf(row)) ?? null;
      if (shown.current.asked === asked) setState((now) => ({ ...now, data: without(now.data) }));
      reload();
    },
  };
}

interface Wanted<T, P> extends Pick<PartsOptions<T>, "keyOf"> {
  readonly fetchPart: FetchPart<T, P>;
  /** So many rows, at least. */
  readonly count: number;
}

/** Fetches part after part until there are as many rows as wanted, at least one part. */
async function fetchUpTo<T, P>(
  wanted: Wanted<T, P>,
  { before, place }: { readonly before: readonly T[]; readonly place: P | null },
  signal: AbortSignal,
): Promise<{ data: readonly T[]; next: P | null; isCut: boolean }> {
  const { rows, next, isCut = false } = await wanted.fetchPart(place, signal);
  const data = [...new Map([...before, ...rows].map((row) => [wanted.keyOf(row), row])).values()];
  if (next !== null && data.length < wanted.count) return fetchUpTo(wanted, { before: data, place: next }, signal);
  return { data, next, isCut };
}
