import { useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { asProblem } from "../../../api/problem.ts";
import type { InboxCard } from "../../../api/schemas.gen.ts";
import { Button } from "../../../kit/controls.tsx";
import { toast } from "../../../kit/toast.tsx";
import { DeclineDialog } from "../decline-dialog.tsx";
import { DECLINES } from "../declines.ts";

interface MovesProps {
  /** What its reader has before the eyes. */
  readonly card: InboxCard;
  /** Whether it is known to be another one by now. */
  readonly isChanged: boolean;
  readonly cooloffDays: number;
  readonly onEdit: () => void;
  readonly onMoved: () => void;
  /** After it turned out to be another one than what was shown. */
  readonly onStale: () => void;
}

/** What a reviewer may do with a staged skill. */
export function Moves({ card, isChanged, cooloffDays, onEdit, onMoved, onStale }: MovesProps) {
  const [asks, setAsks] = useState<(typeof DECLINES)[number] | null>(null);
  const { slug, name, digest } = card;
  const stale = () => {
    toast("Not approved: the skill changed while you had it open. This is the new text.", { kind: "problem" });
    onStale();
  };
  const approve = async () => {
    if (isChanged) return stale();
    try {
      await call("approveSkill", { path: { slug }, body: { digest } });
    } catch (error) {
      const problem = asProblem(error);
      // Only the refusal of another skill names the digest of what is stored.
      if (problem.code === "CONFLICT" && "digest" in problem.details) return stale();
      throw error;
    }
    toast(`Approved: ${name ?? slug} is delivered from now on.`);
    onMoved();
  };
  return (
    <div class="actions skills-moves">
      <Button kind="primary" onClick={approve}>
        Approve
      </Button>
      <Button onClick={onEdit}>Edit</Button>
      {DECLINES.map((decline) => (
        <Button key={decline.name} kind={decline.kind} onClick={() => setAsks(decline)}>
          {decline.verb}…
        </Button>
      ))}
      {asks && (
        <DeclineDialog
          decline={asks}
          skill={{ slug, name: name ?? slug }}
          cooloffDays={cooloffDays}
          onClose={() => setAsks(null)}
          onDone={onMoved}
        />
      )}
    </div>
  );
}
