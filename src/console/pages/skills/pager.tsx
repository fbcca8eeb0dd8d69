import { Button } from "../../kit/controls.tsx";

interface PagerProps {
  readonly offset: number;
  /** Where the next page begins; null where this is the last. */
  readonly next: number | null;
  /** Rows of a page, to go back by. */
  readonly step: number;
  readonly onTurn: (offset: number) => void;
}

/** Turns the pages of a list; nothing where there is one page only. */
export const Pager = ({ offset, next, step, onTurn }: PagerProps) =>
  offset === 0 && next === null ? null : (
    <nav class="row" aria-label="Pages">
      <Button disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - step))}>
        Previous
      </Button>
      <Button disabled={next === null} onClick={() => next !== null && onTurn(next)}>
        Next
      </Button>
      <span class="dim">from {offset + 1}</span>
    </nav>
  );
