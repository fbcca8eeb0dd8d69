import type { Snapshot } from "../../schema/keeping/snapshot.ts";

/** What a store in memory can be put back to; `Whole` is the store. */
export interface SnapshotStore<Whole> {
  /** Remembers all that is stored now instead of what it remembered before. Returns how many bytes that takes. */
  take(): number;
  /**
   * A store as it was then, in place of this one: whoever still reads or writes through this one is refused from now on. Throws
   * CONFLICT where nothing was remembered.
   */
  restore(): Whole;
}

/** The snapshot of a process whose store is in memory. Each method throws CONFLICT where a folder keeps the data. */
export interface Snapshots {
  /** Whether all is done that writes and replies left behind; jobs for later may wait, but none that failed. */
  isSettled(): Promise<boolean>;
  /** Remembers all that is stored now, and what is told of it. */
  take(told: Omit<Snapshot, "bytes">): Snapshot;
  /** Puts everything back; returns what was told. Throws CONFLICT where nothing was remembered. */
  restore(): Promise<Snapshot>;
  /** Calls back after each time that everything was put back. */
  onRestored(listener: () => void): void;
}
