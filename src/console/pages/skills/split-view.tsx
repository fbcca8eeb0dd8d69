import type { ComponentChildren } from "preact";

interface SplitViewProps {
  /** What the list holds. */
  readonly label: string;
  readonly list: ComponentChildren;
  /** Whether something is open; where there is no room for both, it takes the place of the list. */
  readonly isOpen: boolean;
  readonly onBack: () => void;
  readonly children: ComponentChildren;
}

/** A list, and beside it what was opened of it. */
export const SplitView = ({ label, list, isOpen, onBack, children }: SplitViewProps) => (
  <div class={`skills-split ${isOpen ? "is-open" : ""}`}>
    <section class="skills-list" aria-label={label}>
      {list}
    </section>
    {isOpen && (
      <div class="stack">
        <button type="button" class="link skills-back" onClick={onBack}>
          Back to the list
        </button>
        {children}
      </div>
    )}
  </div>
);
