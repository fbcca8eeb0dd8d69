import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "problem";
  readonly undo: (() => unknown) | null;
}

const SHOWN_MS = 6_000;
const WITH_UNDO_MS = 15_000;
/** How often it is looked whether one that is held was let go. */
const HELD_MS = 1_000;
const SHOWN_MAX = 4;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Tells in a corner what was done, with a way back where there is one. */
export function toast(text: string, { kind = "done", undo = null }: Partial<Pick<Toast, "kind" | "undo">> = {}): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, kind, undo }].slice(-SHOWN_MAX);
  dropAfter(undo ? WITH_UNDO_MS : SHOWN_MS, id);
}

/** Takes one off after a while, but none from under who points at them or has the focus in them: a press would go astray. */
function dropAfter(ms: number, id: number): void {
  setTimeout(() => (isHeld() ? dropAfter(HELD_MS, id) : drop(id)), ms);
}

const isHeld = (): boolean => document.querySelector(".toasts:is(:hover, :focus-within)") !== null;

const drop = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

async function undone({ id, undo }: Toast): Promise<void> {
  drop(id);
  try {
    await undo?.();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { kind: "problem" });
  }
}

/** Where toasts appear: above everything, an open dialog included. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  useEffect(() => {
    // Shown anew, it lies above what was opened since.
    ref.current?.hidePopover();
    if (shown.length > 0) ref.current?.showPopover();
  }, [shown]);
  return (
    <div class="toasts" ref={ref} popover="manual" role="status" aria-live="polite">
      {shown.map((one) => (
        <div class={`toast ${one.kind}`} key={one.id}>
          <span>{one.text}</span>
          {one.undo && (
            <button type="button" class="link" onClick={() => undone(one)}>
              Undo
            </button>
          )}
          <button type="button" class="chip-off" aria-label="Dismiss" onClick={() => drop(one.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
