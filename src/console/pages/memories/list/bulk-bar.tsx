import { useState } from "preact/hooks";
import { Button } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { plural } from "../../../kit/numbers.ts";
import { removeSeveral } from "../actions.ts";
import type { Feed } from "./feed.ts";

interface BulkBarProps {
  readonly feed: Feed;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string> | null) => void;
}

/** More than this is asked about before it is deleted. */
const ASKED_FROM = 100;

/** What can be done with the rows that are chosen. */
export function BulkBar({ feed, chosen, onChosen }: BulkBarProps) {
  const [isAsking, setAsking] = useState(false);
  const words = plural(chosen.size, "memory", "memories");
  const remove = async () => {
    setAsking(false);
    await removeSeveral(feed, [...chosen]);
    onChosen(null);
  };
  return (
    <div class="row">
      <span role="status">{words} chosen</span>
      <Button onClick={() => onChosen(new Set(feed.rows.value.map(({ id }) => id)))}>Choose all that are loaded</Button>
      <Button onClick={() => onChosen(new Set())} disabled={chosen.size === 0}>
        Choose none
      </Button>
      <Button
        kind="danger"
        disabled={chosen.size === 0}
        onClick={() => (chosen.size >= ASKED_FROM ? setAsking(true) : remove())}
      >
        Delete
      </Button>
      {isAsking && (
        <Dialog title={`Delete ${words}?`} onClose={() => setAsking(false)}>
          <p>
            No agent is told them any more. They can be restored until the time that the settings keep deleted ones.
          </p>
          <Button kind="danger" onClick={remove}>
            Delete {words}
          </Button>
        </Dialog>
      )}
    </div>
  );
}
