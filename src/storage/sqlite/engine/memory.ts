import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Connections } from "./connection.ts";
import { connect, connectCopy, currentConnections } from "./connection.ts";
import type { UsedFolder } from "./used-folder.ts";

/** A database in memory, used as a folder is, which can be put back to an earlier state. */
export interface UsedMemory extends UsedFolder {
  /** Remembers its state; returns the bytes of that. */
  take(): number;
  /** Opens the state that was remembered, and closes this one. Throws CONFLICT where there is none. */
  putBack(): UsedMemory;
}

/** Opens an empty database in memory; `prepare` gives it its tables. */
export function useMemory(extension: string | null, prepare: (db: Database) => void): UsedMemory {
  const connections = connect(null, extension);
  prepare(connections.writeConnection);
  return usedMemory(connections, null);
}

function usedMemory(connections: Connections, remembered: Uint8Array | null): UsedMemory {
  let state = remembered;
  let isPutBack = false;
  const current = (): Connections => {
    if (isPutBack) throw putBackMeanwhile();
    return connections;
  };
  return {
    at: currentConnections(current),
    check: () => void current(),
    whenWritable: (listener) => listener(),
    close: async () => {
      if (!isPutBack) await connections.close();
    },
    take: () => {
      state = current().writeConnection.serialize();
      return state.byteLength;
    },
    putBack: () => {
      if (state === null)
        throw new AppError("CONFLICT", "Nothing was remembered to go back to. Take a snapshot first.");
      const { extension } = current();
      const next = usedMemory(connectCopy(state, extension), state);
      isPutBack = true;
      void connections.close();
      return next;
    },
  };
}

const putBackMeanwhile = (): AppError =>
  new AppError("CONFLICT", "Everything was put back to the snapshot meanwhile, and this with it. Send it again.");
