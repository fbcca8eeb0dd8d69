import { Dialog } from "../kit/dialog.tsx";
import { Pair } from "../kit/pairs.tsx";
import { closeOverlay, SHORTCUTS } from "./shortcuts.ts";

/** What each key does. */
export const Help = () => (
  <Dialog title="Keyboard" onClose={() => closeOverlay("help")}>
    <dl class="pairs">
      {SHORTCUTS.map(([keys, what]) => (
        <Pair key={keys} name={<kbd>{keys}</kbd>}>
          {what}
        </Pair>
      ))}
    </dl>
  </Dialog>
);
