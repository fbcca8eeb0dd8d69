import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { describeCause } from "../../../core/kernel/log.ts";
import type { SearchIndexState } from "../../../core/ports/storage.ts";
import { indexCodes } from "../../common/index-codes.ts";
import type { StorageOptions } from "../../options.ts";
import type { ChangedRows } from "./follow.ts";
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
  /** Whether it is to be told of changes. */
  follows(): boolean;
  /** Takes over what transactions have changed. */
  follow(changed: ChangedRows): void;
  /** Goes on without: searches do not use it any more. */
  fail(error: unknown): void;
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
    follows: () => waiting !== null || ready_ms !== null,
    follow({ indexed, kept }) {
      try {
        if (waiting) waiting.push(...indexed);
        else take(indexed);
        for (const seq of kept) journalRow(shared, header, seq);
      } catch (error) {
        fail(error);
      }
    },
    fail,
    state: () => ({
      state: fault === null ? (ready_ms === null ? "loading" : "ready") : "off",
      rows: records.count(),
      bytes: records.count() * RECORD_BYTES,
      ready_ms: ready_ms === null ? null : Math.round(ready_ms),
      fault,
    }),
    stop: () => {
      Atomics.store(header, HEADER.ready, 0);
      [waiting, ready_ms] = [null, null];
      endLoad();
    },
  };
}

/** Tells those of some indexes that follow changes what the transactions since the last call have changed. */
export function followChanges(writer: Database, indexes: Iterable<VectorIndex>): void {
  const following = [...indexes].filter((index) => index.follows());
  if (following.length === 0) return;
  try {
    const changed = takeChangedRows(writer);
    for (const index of following) index.follow(changed);
  } catch (error) {
    for (const index of following) index.fail(error);
  }
}

/** How often a loading index is looked at. */
const LOOK_MS = 5;

/** Resolves once an index has read all rows. Throws AppError UNAVAILABLE when it cannot. */
export async function untilLoaded({ state }: VectorIndex): Promise<void> {
  while (state().state === "loading") await Bun.sleep(LOOK_MS);
  const { fault } = state();
  if (fault !== null) throw new AppError("UNAVAILABLE", `The vector index could not be read: ${fault}`);
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
