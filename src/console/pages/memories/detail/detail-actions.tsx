import { useLocation } from "preact-iso";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Button } from "../../../kit/controls.tsx";
import { moveTo, removeOne } from "../actions.ts";
import { CorrectDialog } from "../edit/correct-dialog.tsx";
import { EditDialog } from "../edit/edit-dialog.tsx";
import { MoveDialog } from "../edit/move-dialog.tsx";
import type { Feed } from "../list/feed.ts";
import { useMemoryLink } from "../memory-link.ts";

/** A window in which a memory is worked on. */
export type ActionWindow = "edit" | "correct" | "move";

interface DetailActionsProps {
  readonly memory: MemoryDetail;
  readonly feed: Feed;
  /** The window that is open. */
  readonly open: ActionWindow | null;
  readonly onOpen: (open: ActionWindow | null) => void;
  readonly reload: () => void;
  readonly onClose: () => void;
}

/** What can be done with one memory. */
export function DetailActions({ memory, feed, open, onOpen, reload, onClose }: DetailActionsProps) {
  const { route } = useLocation();
  const linkTo = useMemoryLink();
  const { status } = memory;
  const move = (to: "confirmed" | "archived", words: string) => async () => {
    await moveTo(memory, to, words, reload);
    reload();
  };
  const remove = async () => {
    await removeOne(feed, memory);
    onClose();
  };
  const closed = () => {
    onOpen(null);
    reload();
  };
  return (
    <div class="actions">
      <Button onClick={() => onOpen("edit")}>Edit</Button>
      <Button onClick={() => onOpen("correct")} title="Write what holds now; this one stays as history">
        Correct
      </Button>
      <Button onClick={move("confirmed", "The memory is confirmed.")} disabled={status === "confirmed"}>
        Confirm
      </Button>
      <Button onClick={move("archived", "The memory is archived.")} disabled={status === "archived"}>
        Archive
      </Button>
      <Button kind="danger" onClick={remove}>
        Delete
      </Button>
      {open === "edit" && <EditDialog memory={memory} reload={reload} onClose={closed} />}
      {open === "move" && <MoveDialog ids={[memory.id]} onClose={closed} onMoved={reload} />}
      {open === "correct" && (
        <CorrectDialog memory={memory} reload={reload} onClose={closed} onCorrected={(newer) => route(linkTo(newer))} />
      )}
    </div>
  );
}
