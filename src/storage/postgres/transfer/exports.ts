import { AppError } from "../../../core/kernel/errors.ts";
import { yieldToEventLoop } from "../../../core/kernel/event-loop.ts";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { Driver } from "../engine/driver.ts";
import type { Engine } from "../engine/work.ts";
import type { Moment } from "./moment.ts";
import { EXPORT_MAX_MS, openMoment } from "./moment.ts";
import { readRecords } from "./read-records.ts";

/** Each holds a connection, and what is removed meanwhile stays on the server's disk. */
const EXPORTS_MAX = 4;

/** The exports that go on in this process. */
export interface Exports {
  begin(engine: Engine, filter: ExportFilter): AsyncGenerator<readonly TransferRecord[]>;
  /** Ends all of them. */
  close(): void;
}

/** Keeps the exports of a process over one database. */
export function createExports(driver: Pick<Driver, "connections">): Exports {
  const going = new Map<symbol, Moment | null>();
  return {
    async *begin(engine, filter) {
      if (going.size >= EXPORTS_MAX)
        throw new AppError("CONFLICT", `${EXPORTS_MAX} exports go on already. Wait until one is finished.`);
      const key = Symbol();
      going.set(key, null);
      try {
        const moment = await openMoment(engine, driver);
        if (going.has(key)) going.set(key, moment);
        else moment.close();
        const startedAt = performance.now();
        const requireGoing = () => {
          if (performance.now() - startedAt > EXPORT_MAX_MS || !going.has(key)) throw brokenOff();
        };
        requireGoing();
        for await (const part of readRecords(moment.read, filter)) {
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
