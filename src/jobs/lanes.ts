import type { JobLane } from "../core/ports/job-store.ts";

/**
 * While the model embeds for one lane, this thread works for the others, and the other way round. Two embed, so that the
 * model goes on while the last rows of a job are stored.
 */
const EMBEDDING: readonly JobLane[] = ["embedding", "reembedding"];
const LANES: readonly (readonly JobLane[])[] = [["stated"], EMBEDDING, EMBEDDING, ["others"]];

/** Runs the next job of the first of some lanes that has one; false when none has. */
export type RunNext = (lanes: readonly JobLane[]) => Promise<boolean>;

interface Lane {
  readonly lanes: readonly JobLane[];
  /** Whether the lane had a job, once that is done; null while it rests. */
  inHand: Promise<boolean> | null;
}

/**
 * Works through the jobs of all lanes, one for each entry of them at a time, and returns how many ran. A lane without a job waits for the
 * one that another has in hand, which may leave it work, or until one is `added`. Throws what a lane throws, once all have stopped.
 */
export async function workThrough(runNext: RunNext, added: () => Promise<void>): Promise<number> {
  const lanes = LANES.map((own): Lane => ({ lanes: own, inHand: null }));
  let done = 0;
  const runOne = async (own: Lane): Promise<boolean> => {
    own.inHand = runNext(own.lanes).finally(() => {
      own.inHand = null;
    });
    const ran = await own.inHand;
    if (ran) done++;
    return ran;
  };
  /** Waits while others have a job in hand: whether one got done since there were so many, or one was added. */
  const mayHaveMore = async (before: number): Promise<boolean> => {
    let isAdded = false;
    const adding = added().then(() => {
      isAdded = true;
    });
    while (done === before && !isAdded) {
      const other = lanes.find(({ inHand }) => inHand !== null);
      if (!other) return false;
      await Promise.race([other.inHand, adding]);
    }
    return true;
  };
  const work = async (own: Lane): Promise<void> => {
    let goesOn = true;
    while (goesOn) {
      const before = done;
      goesOn = (await runOne(own)) || (await mayHaveMore(before));
    }
  };
  const ends = await Promise.allSettled(lanes.map(work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return done;
}
