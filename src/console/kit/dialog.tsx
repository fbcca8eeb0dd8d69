import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A modal window: Escape and the button close it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // At once: what is typed behind the key that opened it is meant for it.
  useLayoutEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-labelledby={id} onClose={onClose}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="chip-off" aria-label="Close" onClick={() => ref.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
