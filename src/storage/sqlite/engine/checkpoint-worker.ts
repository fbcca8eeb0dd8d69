import { Database } from "bun:sqlite";

declare const self: Worker;

/** Opens the data file; moves what the log holds into it, as far as no reader needs the log; closes the file. */
export type CheckpointOrder = { readonly open: string } | "checkpoint" | "truncate" | "close";
/** What follows a checkpoint, failed or not, and the close. */
export type CheckpointReply = "done" | "truncated" | "busy" | "closed";

/** Milliseconds that one try to cut the log waits for its readers to end: so long, whoever writes waits too. */
const BUSY_TIMEOUT_MS = 20;
/** Tries, and the pause between two, in which others write. */
const CUTS_MAX = 20;
const PAUSE_MS = 80;

let db: Database | null = null;

self.onmessage = ({ data: order }: MessageEvent<CheckpointOrder>) => {
  if (order === "checkpoint") return reply(checkpoint());
  if (order === "truncate") return reply(truncate());
  if (order === "close") return reply(close());
  db = new Database(order.open, { readwrite: true });
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.exec("pragma wal_autocheckpoint = 0");
};

const reply = (said: CheckpointReply): void => self.postMessage(said);

function checkpoint(): CheckpointReply {
  try {
    db?.exec("pragma wal_checkpoint(passive)");
  } catch {
    // A full disk, say: the log keeps what it holds, and the next round tries again.
  }
  return "done";
}

/** Cuts the log; most of it is moved first, so that writers wait for little. */
function truncate(): CheckpointReply {
  for (let cuts = 0; cuts < CUTS_MAX; cuts++) {
    if (cuts > 0) Bun.sleepSync(PAUSE_MS);
    checkpoint();
    if (isCut()) return "truncated";
  }
  return "busy";
}

function isCut(): boolean {
  try {
    return db?.query<{ busy: number }, []>("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } catch {
    return false;
  }
}

function close(): CheckpointReply {
  db?.close();
  return "closed";
}
