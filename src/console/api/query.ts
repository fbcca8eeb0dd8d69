import { useEffect, useState } from "preact/hooks";
import type { Input, OperationId, Reply } from "./call.ts";
import { callFully } from "./call.ts";
import type { Topic } from "./live.ts";
import type { Pace } from "./pace.ts";
import { usePace } from "./pace.ts";
import type { CallProblem } from "./problem.ts";
import { asProblem } from "./problem.ts";

/** What a page knows of a reply it asked for. */
export interface Loaded<T> {
  /** The last reply, which stays while another one is fetched; null before the first. */
  readonly data: T | null;
  readonly problem: CallProblem | null;
  readonly loading: boolean;
  reload(): void;
}

interface Answered<Id extends OperationId> extends Loaded<Reply<Id>> {
  /** The headers of the last reply. */
  readonly headers: Headers | null;
  /** The input that the last reply answers: not yet the present one while that is fetched. */
  readonly answers: Input<Id> | null;
}

/**
 * Calls an operation when the component appears, when its input changes, and again when one of the topics changes on the
 * server. Null as input calls nothing.
 */
export function useCall<Id extends OperationId>(
  id: Id,
  input: Input<Id> | null,
  topics: readonly Topic[] = [],
  pace: Pace = SOON,
): Answered<Id> {
  const asked = input === null ? null : JSON.stringify(input);
  const [state, setState] = useState<Omit<Answered<Id>, "reload">>(NOTHING);
  const [round, setRound] = useState(0);
  const reload = () => setRound((n) => n + 1);
  useEffect(() => {
    if (input === null) return setState({ ...NOTHING, loading: false });
    const abort = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    callFully(id, input, abort.signal).then(
      ({ reply, headers }) => {
        // Given up while it came: the one that is asked now is still to come.
        if (!abort.signal.aborted) setState({ data: reply, headers, answers: input, problem: null, loading: false });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, problem: asProblem(error), loading: false }));
      },
    );
    return () => abort.abort();
  }, [id, asked, round]);
  usePace({ loading: state.loading, reload }, topics, pace);
  return { ...state, reload };
}

const SOON: Pace = { least_ms: 500 };
const NOTHING = { data: null, headers: null, answers: null, problem: null, loading: true } as const;
