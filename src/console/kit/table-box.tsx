import type { ComponentChildren } from "preact";

/** What is wider than the page: it scrolls by itself, with the keyboard too. */
export const TableBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <section class="table-box" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
