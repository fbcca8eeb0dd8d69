import { AppError } from "../../../core/kernel/errors.ts";
import { describeCause } from "../../../core/kernel/log.ts";
import type { Connections } from "./connection.ts";
import { currentConnections } from "./connection.ts";
import type { FolderOptions, Opened } from "./data-folder.ts";
import { openEither, openToRead, openToWrite } from "./data-folder.ts";
import { whyNotWritable } from "./folder-files.ts";

/** How often a folder is looked at: whether it can be written now, whether its files are still those in use. */
const LOOK_MS = 1_000;

/** A data folder in use, now writable, now only readable: whoever holds its connections need not know which. */
export interface UsedFolder {
  readonly at: Connections;
  /** Throws when the files in use are no longer those of the folder. */
  check(): void;
  /** Calls at once when the folder is writable, and again whenever it has become so. */
  whenWritable(listener: () => void): void;
  close(): Promise<void>;
}

/** Opens a data folder to write or, while it cannot be written, to read; looks every second whether that has changed. */
export function useFolder(options: FolderOptions): UsedFolder {
  const { folder, log } = options;
  const listeners: (() => void)[] = [];
  let now: Opened = openEither(options);
  const tell = (cause: unknown) => log.warn("data folder cannot be written", { cause: describeCause(cause) });

  /** Without a pause, so that no request ever meets a closed file. */
  const recover = (): void => {
    // Only a folder that takes a file is worth giving up the reader's lock for: for that moment it is nobody's.
    const cause = whyNotWritable(folder);
    if (cause) throw cause;
    void now.close();
    now = openAgain(options);
    if (now.fault) throw now.fault;
    log.info("data folder can be written again");
    for (const listener of listeners) listener();
  };
  const look = (): void => {
    try {
      if (now.fault) recover();
      else now.check();
    } catch (error) {
      tell(error);
    }
  };
  if (now.fault) tell(now.fault);
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return {
    at: currentConnections(() => now.at),
    check: () => now.check(),
    whenWritable: (listener) => {
      listeners.push(listener);
      if (!now.fault) listener();
    },
    close: async () => {
      clearInterval(timer);
      await now.close();
    },
  };
}

/** To write, or as before to read, even beside a process that was quicker to become the owner. */
function openAgain(options: FolderOptions): Opened {
  try {
    return openToWrite(options);
  } catch (error) {
    const fault = error instanceof AppError ? error : new AppError("UNAVAILABLE", describeCause(error));
    return openToRead(options, fault, { besideOwner: true });
  }
}
