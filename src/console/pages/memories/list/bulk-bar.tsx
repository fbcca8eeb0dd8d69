import { useState } from "preact/hooks";
import { Button } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { plural } from "../../../kit/numbers.ts";
import { removeSeveral } from "../actions.ts";
import { MoveDialog } from "../edit/move-dialog.tsx";
import type { Target } from "../moving.ts";
import type { Feed } from "./feed.ts";
import type { Row } from "./rows.ts";

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
  const [isMoving, setMoving] = useState(false);
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
      <Button onClick={() => setMoving(true)} disabled={chosen.size === 0}>
        Move
      </Button>
      <Button
        kind="danger"
        disabled={chosen.size === 0}
        onClick={() => (chosen.size >= ASKED_FROM ? setAsking(true) : remove())}
      >
        Delete
      </Button>
      {isMoving && (
        <MoveDialog
          ids={[...chosen]}
          onClose={() => setMoving(false)}
          onMoved={(ids, to) => {
            const moved = new Set(ids);
            feed.update(...feed.rows.value.filter(({ id }) => moved.has(id)).map((row) => placedRow(row, to)));
            void feed.refresh(() => true);
            onChosen(new Set([...chosen].filter((id) => !moved.has(id))));
          }}
        />
      )}
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

/** A row as it is where it was moved to. */
function placedRow(row: Row, to: Target): Row {
  if ("everyone" in to) return { ...row, fleet_id: null, visibility: "scope_org" };
  return { ...row, fleet_id: to.fleet_id, visibility: row.visibility === "scope_org" ? "scope_team" : row.visibility };
}
