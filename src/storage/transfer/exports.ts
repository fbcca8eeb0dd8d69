import { AppError } from "../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { ExportFilter } from "../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../core/schema/keeping/transfer.ts";
import type { Moment } from "./parts.ts";
import { EXPORT_MAX_MS } from "./parts.ts";
import { readRecords } from "./read.ts";

/** Each holds a moment of the data: what is written or removed meanwhile stays on the disk. */
const EXPORTS_MAX = 4;
/** The exports that go on in this process. */
export interface Exports {
  begin(filter: ExportFilter): AsyncGenerator<readonly TransferRecord[]>;
  /** Ends all of them. */
  close(): void;
}

/** Keeps the exports of a process over one store of data, each of them of the moment that `open` holds. */
export function createExports(open: () => Promise<Moment>): Exports {
  const going = new Map<symbol, Moment | null>();
  return {
    async *begin(filter) {
      if (going.size >= EXPORTS_MAX)
        throw new AppError("CONFLICT", `${EXPORTS_MAX} exports go on already. Wait until one is finished.`);
      const key = Symbol();
      going.set(key, null);
      try {
        const moment = await open();
        if (going.has(key)) going.set(key, moment);
        else moment.close();
        const startedAt = performance.now();
        const requireGoing = () => {
          if (performance.now() - startedAt > EXPORT_MAX_MS || !going.has(key)) throw brokenOff();
        };
        requireGoing();
        for await (const part of readRecords(moment, filter)) {
          if (part.length > 0) yield part;
          await yieldToEventLoop();
          requireGoing();
        }
      } finally {
        going.get(key)?.close();
        going.delete(key);
      }
    },
    close: () => {
      for (const moment of going.values()) moment?.close();
      going.clear();
    },
  };
}

const brokenOff = (): AppError =>
  new AppError("UNAVAILABLE", "The export was broken off: the server stops, or it was read too slowly. Export again.");
