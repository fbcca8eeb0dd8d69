import type { Database } from "bun:sqlite";
import { describeCause } from "../../../core/kernel/log.ts";
import type { SearchIndexState } from "../../../core/ports/storage.ts";
import type { StorageOptions } from "../../options.ts";
import { indexCodes } from "./codes.ts";
import { indexRows, takeChangedRows, watchRows } from "./follow.ts";
import { HEADER, JOURNAL_ROWS, RECORD_BYTES } from "./layout.ts";
import { loadRecords } from "./load.ts";
import type { LoadOrder, LoadReply } from "./load-worker.ts";
import { loadWorkerUrl } from "./load-worker-url.ts";
import { recordsOf } from "./records.ts";
import type { SharedIndex } from "./shared-memory.ts";
import { createSharedIndex, headerOf, journalRow } from "./shared-memory.ts";

/** The vector index as the thread that writes keeps it. */
export interface VectorIndex {
  readonly shared: SharedIndex;
  /** Reads all rows anew, behind everything else; searches do without the index until it is there. */
  load(): void;
  /** Takes over what the transactions since the last call have changed. */
  follow(): void;
  state(): SearchIndexState;
  stop(): void;
}

export interface VectorIndexOptions extends Pick<StorageOptions, "log" | "space"> {
  /** The data file; null where all is in memory. */
  readonly file: string | null;
  /** The connection that writes, whichever that is now. */
  readonly writer: () => Database;
  /** Threads that search. */
  readonly rooms: number;
  /** Milliseconds since any fixed moment. */
  readonly elapsed: () => number;
}

/** An index that is empty until it is loaded. */
export function createVectorIndex({ file, space, writer, rooms, elapsed, log }: VectorIndexOptions): VectorIndex {
  const shared = createSharedIndex(rooms);
  const header = headerOf(shared);
  const records = recordsOf(shared);
  const codes = indexCodes(space);
  /** Rows changed while the index is being read; null when it is not. */
  let waiting: number[] | null = null;
  let ready_ms: number | null = null;
  let fault: string | null = null;
  let endLoad = () => {};

  const fail = (error: unknown) => {
    Atomics.store(header, HEADER.ready, 0);
    waiting = null;
    ready_ms = null;
    fault = describeCause(error);
    log.warn("searches go without the vector index", { cause: fault });
  };
  const take = (seqs: readonly number[]) => {
    for (const seq of seqs) journalRow(shared, header, seq);
    indexRows({ db: writer(), space, codes }, records, seqs);
  };
  const load = () => {
    endLoad();
    const startedAt = elapsed();
    Atomics.store(header, HEADER.ready, 0);
    Atomics.add(header, HEADER.loads, 1);
    Atomics.store(header, HEADER.count, 0);
    // What changed before is not noted: whoever keeps rows is to forget them.
    Atomics.add(header, HEADER.journaled, JOURNAL_ROWS);
    [ready_ms, fault] = [null, null];
    const own: number[] = [];
    waiting = own;
    const loaded = () => {
      if (waiting !== own) return;
      try {
        take(own);
        waiting = null;
        ready_ms = elapsed() - startedAt;
        Atomics.store(header, HEADER.ready, 1);
      } catch (error) {
        fail(error);
      }
    };
    try {
      watchRows(writer());
      if (file !== null && !isSmall(writer())) {
        endLoad = loadOnThread({ file, space, shared }, loaded, (error) => {
          if (waiting === own) fail(error);
        });
        return;
      }
      loadRecords(writer(), space, records);
      loaded();
    } catch (error) {
      fail(error);
    }
  };
  return {
    shared,
    load,
    follow() {
      if (waiting === null && ready_ms === null) return;
      try {
        const { indexed, kept } = takeChangedRows(writer());
        if (waiting) waiting.push(...indexed);
        else take(indexed);
        for (const seq of kept) journalRow(shared, header, seq);
      } catch (error) {
        fail(error);
      }
    },
    state: () => ({
      state: fault === null ? (ready_ms === null ? "loading" : "ready") : "off",
      rows: records.count(),
      bytes: records.count() * RECORD_BYTES,
      ready_ms: ready_ms === null ? null : Math.round(ready_ms),
      fault,
    }),
    stop: () => {
      waiting = null;
      endLoad();
    },
  };
}

/** Few rows are read faster than a thread is started. */
const SMALL_ROWS = 1_000;
const isSmall = (db: Database): boolean =>
  (db.query<{ n: number }, [number]>("select count(*) as n from (select 1 from memories limit ?)").get(SMALL_ROWS + 1)
    ?.n ?? 0) <= SMALL_ROWS;

/** Fills the memory from the file, on a thread of its own; returns what ends it early. */
function loadOnThread(order: LoadOrder, loaded: () => void, failed: (error: unknown) => void): () => void {
  const worker = new Worker(loadWorkerUrl, { smol: true });
  worker.unref();
  worker.onmessage = ({ data }: MessageEvent<LoadReply>) => {
    worker.terminate();
    if ("failed" in data) failed(new Error(data.failed));
    else loaded();
  };
  worker.onerror = ({ message }) => failed(new Error(message));
  worker.addEventListener("close", () => failed(new Error("The thread that reads the rows has ended.")));
  worker.postMessage(order);
  return () => worker.terminate();
}
