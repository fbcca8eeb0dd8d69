import { useEffect, useState } from "preact/hooks";
import { callFully } from "../../api/call.ts";
import { onChange } from "../../api/live.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { SearchReply, SearchRequest } from "../../api/schemas.gen.ts";

/** A reply, what it replies to, and how long the server says that it took. */
export interface Answer {
  readonly asked: SearchRequest;
  readonly reply: SearchReply;
  /** By the header X-Response-Time, in milliseconds; null where it is not there. */
  readonly took_ms: number | null;
}

interface Searched {
  /** The last answer; it stays while the next one is fetched. */
  readonly data: Answer | null;
  readonly problem: CallProblem | null;
  readonly loading: boolean;
}
const NOTHING: Searched = { data: null, problem: null, loading: false };

/** Searches with what is asked, one search at a time: a newer one ends the older. Memories that change have it made again. */
export function useSearch(asked: SearchRequest | null): Searched & { reload(): void } {
  const [state, setState] = useState<Searched>(NOTHING);
  const [round, setRound] = useState(0);
  const reload = () => setRound((n) => n + 1);
  useEffect(() => {
    if (asked === null) return setState(NOTHING);
    const abort = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    callFully("searchMemories", { body: asked }, abort.signal).then(
      ({ reply, headers }) => {
        // Safe: no fields are chosen, so that the rows are whole.
        const data = { asked, reply: reply as SearchReply, took_ms: milliseconds(headers.get("X-Response-Time")) };
        setState({ data, problem: null, loading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ data: null, problem: asProblem(error), loading: false });
      },
    );
    return () => abort.abort();
  }, [JSON.stringify(asked), round]);
  useEffect(() => onChange(["memories"], reload), []);
  return { ...state, reload };
}

function milliseconds(header: string | null): number | null {
  const value = Number.parseFloat(header ?? "");
  return Number.isNaN(value) ? null : value;
}
