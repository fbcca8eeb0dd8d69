import { Dialog } from "../kit/dialog.tsx";
import { closeOverlay, SHORTCUTS } from "./shortcuts.ts";

/** What each key does. */
export const Help = () => (
  <Dialog title="Keyboard" onClose={() => closeOverlay("help")}>
    <dl class="pairs">
      {SHORTCUTS.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
