import type { EmbedderSpace } from "../../options.ts";
import { openReadable } from "../engine/open-readable.ts";
import { loadRecords } from "./load.ts";
import { recordsOf } from "./records.ts";
import type { SharedIndex } from "./shared-memory.ts";

declare const self: Worker;

/** The data file to read, and the memory to write its records into. */
export interface LoadOrder {
  readonly file: string;
  readonly space: EmbedderSpace;
  readonly shared: SharedIndex;
}
export type LoadReply = { readonly loaded: number } | { readonly failed: string };

self.onmessage = ({ data: { file, space, shared } }: MessageEvent<LoadOrder>) => {
  try {
    const db = openReadable(file);
    try {
      db.exec("pragma busy_timeout = 10000");
      const records = recordsOf(shared);
      loadRecords(db, space, records);
      reply({ loaded: records.count() });
    } finally {
      db.close();
    }
  } catch (error) {
    reply({ failed: error instanceof Error ? error.message : String(error) });
  }
};

const reply = (said: LoadReply): void => self.postMessage(said);
