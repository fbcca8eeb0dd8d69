import { useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../api/live.ts";
import { onChange } from "../api/live.ts";
import type { CallProblem } from "../api/problem.ts";
import { asProblem } from "../api/problem.ts";

/** What is known of a list that comes in parts. */
interface Paged<T> {
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
}

type State<T> = Omit<Paged<T>, "loadMore" | "reload" | "hasMore"> & { readonly next: number | null };
type FetchPart<T> = (offset: number, signal: AbortSignal) => Promise<{ reply: readonly T[]; headers: Headers }>;

const NOTHING = { data: null, problem: null, loading: true, isCut: false, next: null } as const;

/**
 * A list that says by the header X-Next-Offset where it goes on. `asked` names what is listed (null lists nothing): when it
 * changes, the list begins anew; when a topic changes on the server, as much as was there is fetched again.
 */
export function usePaged<T extends { readonly id: string }>(
  asked: string | null,
  fetchPart: FetchPart<T>,
  topics: readonly Topic[] = [],
): Paged<T> {
  const [state, setState] = useState<State<T>>(NOTHING);
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | null>(null);
  const shown = useRef<{ asked: string | null; count: number }>({ asked: null, count: 0 });

  const load = (before: readonly T[], offset: number, count: number) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setState((now) => ({ ...now, loading: true }));
    fetchUpTo(fetchPart, { before, offset, count }, abort.signal).then(
      (found) => {
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
    else load([], 0, isSame ? shown.current.count : 0);
    return () => running.current?.abort();
  }, [asked, round]);
  useEffect(() => onChange(topics, () => setRound((n) => n + 1)), [topics.join()]);
  const { next, ...known } = state;
  return {
    ...known,
    hasMore: next !== null,
    loadMore: () => {
      if (next !== null && !known.loading) load(known.data ?? [], next, 0);
    },
    reload: () => setRound((n) => n + 1),
  };
}

/** Fetches part after part until there are as many rows, at least one part. */
async function fetchUpTo<T extends { readonly id: string }>(
  fetchPart: FetchPart<T>,
  { before, offset, count }: { before: readonly T[]; offset: number; count: number },
  signal: AbortSignal,
): Promise<{ data: readonly T[]; next: number | null; isCut: boolean }> {
  const { reply, headers } = await fetchPart(offset, signal);
  // A row that moved between two fetches comes twice.
  const data = [...new Map([...before, ...reply].map((row) => [row.id, row])).values()];
  const header = headers.get("X-Next-Offset");
  const next = header === null ? null : Number(header);
  if (next !== null && data.length < count) return fetchUpTo(fetchPart, { before: data, offset: next, count }, signal);
  return { data, next, isCut: headers.get("X-Truncated") === "true" };
}
