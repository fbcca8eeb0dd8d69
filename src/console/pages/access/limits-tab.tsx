import { useEffect, useState } from "preact/hooks";
import { callFully } from "../../api/call.ts";
import { onChange } from "../../api/live.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { Bounds } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import type { RateLeft } from "../../kit/bounds.tsx";
import { BoundsView } from "../../kit/bounds.tsx";
import { Panel, Show } from "../../kit/layout.tsx";

const EVERY_MS = 5_000;

interface Seen {
  readonly bounds: Bounds;
  readonly left: RateLeft | null;
}

/** What bounds apply to this caller, and what is left of them. */
export function LimitsTab() {
  const [data, setData] = useState<Seen | null>(null);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const [round, setRound] = useState(0);
  const reload = () => setRound((n) => n + 1);
  useEffect(() => {
    const abort = new AbortController();
    callFully("limits", {}, abort.signal).then(
      ({ reply, headers }) => {
        setData({ bounds: reply, left: leftOf(headers) });
        setProblem(null);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(asProblem(error));
      },
    );
    return () => abort.abort();
  }, [round]);
  useEffect(() => onChange(["memories"], reload), []);
  usePolling(problem === null, EVERY_MS, reload);
  return (
    <Panel title="Limits of this caller">
      <Show of={{ data, problem, reload }}>
        {({ bounds, left }) => (
          <div class="stack">
            <p class="dim">
              Each key has its own rates; the flags of <code>cairn serve</code> below set them, and hold from its next
              start on. A call beyond them is refused with 429 and the seconds to wait.
            </p>
            <BoundsView bounds={bounds} left={left} />
          </div>
        )}
      </Show>
    </Panel>
  );
}

/** What a reply says of the rate that it was counted under; null where it says nothing. */
function leftOf(headers: Headers): RateLeft | null {
  const [limit, remaining] = [headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")];
  return limit === null || remaining === null ? null : { limit: Number(limit), remaining: Number(remaining) };
}
