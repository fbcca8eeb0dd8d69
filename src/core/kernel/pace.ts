/** How fast a kind of work goes, learnt from the pieces that are done. */
export interface Pace {
  /** A piece begins; what it returns is told how many rows were done once it ends. */
  begin(): (rows: number) => void;
  /** Rows a second while it works, newest pieces weighing most; null until a piece is done. */
  perSecond(): number | null;
}

/** Weight of the newest piece: a change of pace shows after a few. */
const NEWEST = 0.3;

/** A pace that nothing is known of yet; `elapsed` gives milliseconds since any fixed moment. */
export function createPace(elapsed: () => number = () => performance.now()): Pace {
  let msPerRow: number | null = null;
  let lastEnd = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      const since = elapsed();
      return (rows) => {
        const now = elapsed();
        // Of pieces that are worked on side by side, each counts from where the one before it ended.
        const ms = now - Math.max(since, lastEnd);
        if (rows <= 0 || ms <= 0) return;
        lastEnd = now;
        const newest = ms / rows;
        msPerRow = msPerRow === null ? newest : (1 - NEWEST) * msPerRow + NEWEST * newest;
      };
    },
    perSecond: () => (msPerRow === null ? null : 1_000 / msPerRow),
  };
}
