import { useState } from "preact/hooks";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import { nameOfFleet } from "../../../api/projects.ts";
import { Button } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Problem } from "../../../kit/layout.tsx";
import { plural } from "../../../kit/numbers.ts";
import { NO_PLACE, PlaceChoice, placeIn } from "../../../kit/place-choice.tsx";
import { Text } from "../../../kit/text.tsx";
import { toast } from "../../../kit/toast.tsx";
import { useMemoryLink } from "../memory-link.ts";
import type { MoveItem, Target } from "../moving.ts";
import { moveMemories } from "../moving.ts";

interface MoveDialogProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  /** Told which of them moved, and where to. */
  readonly onMoved: (ids: readonly string[], to: Target) => void;
}

/** What became of a move that did not move all of them. */
interface Outcome {
  readonly said: string;
  readonly items: readonly MoveItem[];
  readonly isOne: boolean;
}

/** Gives memories to another project, or to everyone, and says what became of each. */
export function MoveDialog({ ids, onClose, onMoved }: MoveDialogProps) {
  const [place, setPlace] = useState(NO_PLACE);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const words = ids.length === 1 ? "this memory" : plural(ids.length, "memory", "memories");
  const move = async () => {
    setProblem(null);
    try {
      const target = await targetIn(place);
      if (target === null) return;
      const items = await moveMemories(ids, target.to);
      const moved = items.filter((item) => item.outcome === "moved").map(({ id }) => id);
      if (moved.length > 0) {
        toast(
          `${ids.length === 1 ? "The memory" : plural(moved.length, "memory", "memories")} moved to ${target.said}.`,
        );
        onMoved(moved, target.to);
      }
      if (moved.length === items.length && moved.length > 0) onClose();
      else setOutcome({ said: target.said, items, isOne: ids.length === 1 });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={`Move ${words}`} onClose={onClose}>
      <div class="stack">
        <p class="dim">Id, history and links stay; contradictions are looked for anew among its new neighbours.</p>
        {problem && <Problem problem={problem} />}
        {outcome && <Stayed outcome={outcome} onLeave={onClose} />}
        <PlaceChoice
          label="Move to"
          none="choose"
          value={place}
          onChange={(next) => {
            setOutcome(null);
            setPlace(next);
          }}
        />
        <div class="actions">
          <Button
            kind="primary"
            onClick={move}
            disabled={place.chosen === "" || (place.chosen === "named" && place.typed.trim() === "")}
          >
            Move
          </Button>
          <Button onClick={onClose}>{outcome ? "Close" : "Cancel"}</Button>
        </div>
      </div>
    </Dialog>
  );
}

async function targetIn(draft: Parameters<typeof placeIn>[0]): Promise<{ to: Target; said: string } | null> {
  const place = await placeIn(draft);
  if (place === null) return null;
  return place === "everyone"
    ? { to: { everyone: true }, said: "everyone" }
    : { to: place, said: `project ${nameOfFleet(place.fleet_id)}` };
}

/** So many of those that stayed are listed. */
const LISTED_MAX = 50;

/** What did not move, and why. */
function Stayed({ outcome: { said, items, isOne }, onLeave }: { outcome: Outcome; onLeave: () => void }) {
  const linkTo = useMemoryLink();
  const there = items.filter(({ outcome }) => outcome === "already_there").length;
  const stayed = items.filter(({ outcome }) => outcome === "duplicate" || outcome === "refused");
  return (
    <div class="document-note" role="status">
      {items.length === 0 && <p>It is no longer there.</p>}
      {there > 0 && <p>{isOne ? `It belongs to ${said} already.` : `${there} belonged to ${said} already.`}</p>}
      <ul>
        {stayed.slice(0, LISTED_MAX).map(({ id, outcome, existing_id, error }) => (
          <li key={id}>
            {isOne ? (
              "It stays"
            ) : (
              <a href={linkTo(id)} onClick={onLeave}>
                This one stays
              </a>
            )}
            {outcome === "duplicate" ? (
              <>
                , as another memory says the same there already
                {existing_id && (
                  <>
                    :{" "}
                    <a href={linkTo(existing_id)} onClick={onLeave}>
                      open that memory
                    </a>
                  </>
                )}
                .
              </>
            ) : (
              <>
                : <Text value={error ?? "it was refused."} />
              </>
            )}
          </li>
        ))}
      </ul>
      {stayed.length > LISTED_MAX && <p>And {stayed.length - LISTED_MAX} more.</p>}
    </div>
  );
}
