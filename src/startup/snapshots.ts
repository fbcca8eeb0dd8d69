import type { Clock } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { SnapshotStore, Snapshots } from "../core/ports/keeping/snapshots.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Snapshot } from "../core/schema/keeping/snapshot.ts";

interface Parts {
  readonly clock: Clock;
  /** The storage in use. */
  storage(): Storage;
  /** Has everybody use another storage from now on. */
  exchange(storage: Storage): void;
  /** Runs what was put off until after the replies. */
  drain(): Promise<void>;
}

/** Takes the snapshot of a process and goes back to it, each within one turn of the event loop. */
export function createSnapshots({ clock, storage, exchange, drain }: Parts): Snapshots {
  const listeners: (() => void)[] = [];
  let taken: Snapshot | null = null;
  const store = (): SnapshotStore<Storage> => {
    const { snapshots } = storage();
    if (snapshots === null) throw keptInFolder();
    return snapshots;
  };
  return {
    isSettled: async () => {
      store();
      await drain();
      const { jobs } = storage();
      const { failing } = await jobs.tally(clock.now(), null);
      return failing === 0 && (await jobs.isIdle(clock.now()));
    },
    take: (told) => {
      taken = { ...told, bytes: store().take() };
      return taken;
    },
    restore: async () => {
      // What came before is done, not refused.
      await drain();
      const from = store();
      if (taken === null) throw new AppError("CONFLICT", "There is no snapshot to go back to. Take one first.");
      exchange(from.restore());
      for (const listener of listeners) listener();
      return taken;
    },
    onRestored: (listener) => {
      listeners.push(listener);
    },
  };
}

const keptInFolder = (): AppError =>
  new AppError(
    "CONFLICT",
    "The data of this server outlives it: there are backups of it, no snapshots. Start one with --ephemeral for those.",
  );
