import type { SQL } from "drizzle-orm";
import type { Unit } from "../units/unit.ts";

/**
 * The jobs that this process has in hand: nobody else's for as long as it lives. Conditions name columns of `jobs` by themselves:
 * no other table may stand beside it where they are asked.
 */
export interface Hands {
  /** Holds for jobs that a living process has in hand. */
  isHeld(nowMs: number): SQL;
  /** Holds for jobs that no other living process has in hand. */
  mayTake(nowMs: number): SQL;
  /** Holds for a job that this process took and no other one took over meanwhile. */
  own(id: number): SQL;
  /** Says in a row who takes it until when, and that nobody has it; each with a comma before it. */
  taken(untilMs: number): SQL;
  readonly free: SQL;
  /** When, as `due`, the next job becomes due of those that `mayGo` holds for. */
  nextDue(mayGo: SQL): SQL;
  /** Has a job in hand from now on, within the transaction that takes it. */
  take(id: number, leaseMs: number): void;
  /** No longer. */
  drop(id: number): void;
  /** Waits until no other process queues what a new model has to embed. */
  queueAlone(): Unit<void>;
}
