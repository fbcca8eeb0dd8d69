import type { Database } from "bun:sqlite";
import { cutLog } from "./cut-log.ts";
import { openFile } from "./open-file.ts";

declare const self: Worker;

/** Opens the data file; moves what the log holds into it, as far as no reader needs the log; closes the file. */
export type CheckpointOrder = { readonly open: string } | "checkpoint" | "truncate" | "close";
/** What follows a checkpoint, failed or not, and the close. */
export type CheckpointReply = "done" | "truncated" | "busy" | "closed";

let db: Database | null = null;

self.onmessage = async ({ data: order }: MessageEvent<CheckpointOrder>) => {
  if (order === "checkpoint") return reply(checkpoint());
  if (order === "truncate") return reply(await truncate());
  if (order === "close") return reply(close());
  db = openFile(order.open, { readwrite: true });
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

async function truncate(): Promise<CheckpointReply> {
  try {
    return db && (await cutLog(db)) ? "truncated" : "busy";
  } catch {
    return "busy";
  }
}

function close(): CheckpointReply {
  db?.close();
  return "closed";
}
