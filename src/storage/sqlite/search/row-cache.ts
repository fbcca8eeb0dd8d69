import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import type { SharedIndex } from "../vector-index/shared-memory.ts";
import { changedRows, headerOf, isReady, journalEnd } from "../vector-index/shared-memory.ts";
import type { HitRow } from "./read-rows.ts";
import { readRows } from "./read-rows.ts";

/** Bytes of rows and their vectors that one thread remembers: some ten thousand rows. */
const BYTES_MAX = 40 * 1024 * 1024;
/**
 * Once they are full, one of so many rows that were not remembered takes the place of the one that was not read for longest.
 * Were it each of them, questions whose rows are a few more than have room would throw out each other's in turn, and find none
 * (bimodal insertion: Qureshi et al., ISCA 2007).
 */
const ADMITTED_ONE_OF = 8;
/** What a row takes beside its text and its vectors. */
const ROW_BYTES = 600;

/** Rows that were read for searches, with their vectors, kept true by the journal of changed rows. */
export interface RowCache {
  /** Those of some rows that are not deleted, whoever may see them; null while changes are not followed. */
  read(db: Connections, seqs: readonly number[]): HitRow[] | null;
}

/** Remembers the rows that were read last. */
export function createRowCache(shared: SharedIndex, space: EmbedderSpace): RowCache {
  const header = headerOf(shared);
  const known = new Map<number, HitRow>();
  let bytes = 0;
  let refused = 0;
  /** Where the journal was when the rows were last true. */
  let at = journalEnd(header);

  const forget = (seq: number): void => {
    const row = known.get(seq);
    if (!row) return;
    known.delete(seq);
    bytes -= sizeOf(row);
  };
  const remember = (row: HitRow): void => {
    const isFull = bytes + sizeOf(row) > BYTES_MAX;
    if (isFull && ++refused % ADMITTED_ONE_OF !== 0) return;
    known.set(row.seq, row);
    bytes += sizeOf(row);
  };
  const forgetChanged = (): void => {
    const end = journalEnd(header);
    if (end === at) return;
    for (const seq of changedRows(shared, at, end) ?? [...known.keys()]) forget(seq);
    at = end;
  };
  const forgetOldest = (): void => {
    for (const seq of known.keys()) {
      if (bytes <= BYTES_MAX) return;
      forget(seq);
    }
  };
  return {
    read(db, seqs) {
      if (!isReady(header)) return null;
      forgetChanged();
      const found: HitRow[] = [];
      const missing: number[] = [];
      for (const seq of seqs) {
        const row = known.get(seq);
        if (!row) {
          missing.push(seq);
          continue;
        }
        // The last of the map is what was read last.
        known.delete(seq);
        known.set(seq, row);
        found.push(row);
      }
      if (missing.length === 0) return found;
      for (const row of readRows(db, space, missing, LIVE)) {
        remember(row);
        found.push(row);
      }
      forgetOldest();
      return found;
    },
  };
}

const LIVE = { sql: "memories.deleted_at is null", params: [] };

const sizeOf = ({ content, vector, context }: HitRow): number =>
  ROW_BYTES + 2 * content.length + (vector?.byteLength ?? 0) + (context?.byteLength ?? 0);
