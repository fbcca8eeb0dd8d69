import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { LogLine, RecentLogs } from "../../api/schemas.gen.ts";

const EVERY_MS = 2_000;
/** Lines of one reply; when it is full, the next ones are asked for at once. */
const ASKED = 1_000;
const KEPT_MAX = 5_000;

/** The lines that were read, of which no more than some thousands stay. */
interface ReadLog {
  readonly lines: readonly LogLine[];
  /** Lines that came and went faster than they were read. */
  readonly missed: number;
  readonly next_after: number | null;
}
const NONE: ReadLog = { lines: [], missed: 0, next_after: null };

/** Adds what follows; a server that was started anew counts from the beginning. */
export function followed(log: ReadLog, { lines, dropped, next_after }: RecentLogs): ReadLog {
  const isSame = log.next_after !== null && next_after >= log.next_after;
  if (!isSame) return { lines, missed: 0, next_after };
  const kept = lines.length === 0 ? log.lines : [...log.lines, ...lines].slice(-KEPT_MAX);
  return { lines: kept, missed: log.missed + dropped, next_after };
}

interface FollowedLog extends ReadLog {
  readonly problem: CallProblem | null;
  readonly isFirst: boolean;
  retry(): void;
}

/** Reads what follows; whether more of it waits already. Throws CallProblem. */
async function readNext(log: ReadLog, signal: AbortSignal): Promise<{ log: ReadLog; isMore: boolean }> {
  const after = log.next_after;
  const query = { limit: ASKED, ...(after === null ? {} : { after }) };
  const reply = await call("recentLogs", { query }, signal);
  return { log: followed(log, reply), isMore: after !== null && reply.lines.length === ASKED };
}

/** Reads the log again and again while it is shown, until it is paused or refused. */
export function useLog(isPaused: boolean): FollowedLog {
  const [log, setLog] = useState(NONE);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const [round, setRound] = useState(0);
  const known = useRef(NONE);
  useEffect(() => {
    if (isPaused) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (wait_ms: number) => {
      if (!abort.signal.aborted) timer = setTimeout(read, wait_ms);
    };
    const take = ({ log: next, isMore }: Awaited<ReturnType<typeof readNext>>) => {
      known.current = next;
      setLog(next);
      setProblem(null);
      again(isMore ? 0 : EVERY_MS);
    };
    const fail = (error: unknown) => {
      if (abort.signal.aborted) return;
      const refused = asProblem(error);
      setProblem(refused);
      if (refused.status !== 403) again(EVERY_MS);
    };
    const read = () => {
      if (document.visibilityState !== "visible") again(EVERY_MS);
      else readNext(known.current, abort.signal).then(take, fail);
    };
    read();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [isPaused, round]);
  return { ...log, problem, isFirst: log.next_after === null, retry: () => setRound((n) => n + 1) };
}
