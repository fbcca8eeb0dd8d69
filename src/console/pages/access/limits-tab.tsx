import { useCall } from "../../api/query.ts";
import { usePolling } from "../../hooks/poll.ts";
import type { RateLeft } from "../../kit/bounds.tsx";
import { BoundsView } from "../../kit/bounds.tsx";
import { Panel, Show } from "../../kit/layout.tsx";

const EVERY_MS = 5_000;

/** What bounds apply to this caller, and what is left of them. */
export function LimitsTab() {
  const limits = useCall("limits", {}, ["memories"]);
  usePolling(limits.problem === null, EVERY_MS, [limits]);
  return (
    <Panel title="Limits of this caller">
      <Show of={limits}>
        {(bounds) => (
          <div class="stack">
            <p class="dim">
              Each key has its own rates; the flags of <code>cairn serve</code> below set them, and hold from its next
              start on. A call beyond them is refused with 429 and the seconds to wait.
            </p>
            <BoundsView bounds={bounds} left={leftOf(limits.headers)} />
          </div>
        )}
      </Show>
    </Panel>
  );
}

/** What a reply says of the rate that it was counted under; null where it says nothing. */
function leftOf(headers: Headers | null): RateLeft | null {
  const [limit, remaining] = ["X-RateLimit-Limit", "X-RateLimit-Remaining"].map((name) => headers?.get(name));
  return limit == null || remaining == null ? null : { limit: Number(limit), remaining: Number(remaining) };
}
