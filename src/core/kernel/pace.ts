/** How fast a kind of work goes, learnt from the pieces that are done. */
export interface Pace {
  /** So many rows were done, in so many milliseconds. */
  done(rows: number, ms: number): void;
  /** Rows a second while it works, newest pieces weighing most; null until a piece is done. */
  perSecond(): number | null;
}

/** Weight of the newest piece: a change of pace shows after a few. */
const NEWEST = 0.3;

/** A pace that nothing is known of yet. */
export function createPace(): Pace {
  let msPerRow: number | null = null;
  return {
    done(rows, ms) {
      if (rows <= 0 || ms <= 0) return;
      const newest = ms / rows;
      msPerRow = msPerRow === null ? newest : (1 - NEWEST) * msPerRow + NEWEST * newest;
    },
    perSecond: () => (msPerRow === null ? null : 1_000 / msPerRow),
  };
}
