import { Database } from "bun:sqlite";

declare const self: Worker;

/** First message: the data file. Any later one: move what the log holds into the file, as far as no reader needs it. */
let db: Database | null = null;

self.onmessage = ({ data }: MessageEvent<string | null>) => {
  if (typeof data === "string") {
    db = new Database(data, { readwrite: true });
    db.exec("pragma wal_autocheckpoint = 0");
    return;
  }
  let failure: string | null = null;
  try {
    db?.exec("pragma wal_checkpoint(passive)");
  } catch (error) {
    // A full disk, say: the log keeps what it holds, and the next round tries again.
    failure = error instanceof Error ? error.message : String(error);
  }
  self.postMessage(failure);
};
