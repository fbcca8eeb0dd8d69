import type { Principal } from "../schema/access.ts";

/** Which verb a thread is to run, for whom, and on what; all of it plain data. */
export interface SearchOrder {
  readonly verb: "search" | "recall";
  readonly principal: Principal;
  readonly input: object;
}

/** Threads that answer searches beside the one that serves. */
export interface SearchThreads {
  /**
   * The reply of a verb; null when no thread gave one, for whatever reason: the caller then runs the verb itself, and has
   * its reply or its error first hand.
   */
  ask(order: SearchOrder): Promise<object | null>;
  /** How many can answer. */
  count(): number;
  /**
   * Ends the threads once they have answered, counted their recalls and closed the storage; what one that takes too long
   * has in hand is answered with null.
   */
  close(): Promise<void>;
}
