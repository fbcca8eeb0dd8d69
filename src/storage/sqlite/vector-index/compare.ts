import type { Database } from "bun:sqlite";
import type { EmbedderSpace } from "../../options.ts";
import { loadRecords } from "./load.ts";
import type { Records } from "./records.ts";
import { recordsOf } from "./records.ts";
import type { SharedIndex } from "./shared-memory.ts";
import { changedRows, createSharedIndex, headerOf, isReady, journalEnd } from "./shared-memory.ts";

/** An index in use, and the space of its vectors. */
export interface ComparedIndex {
  readonly shared: SharedIndex;
  readonly space: EmbedderSpace;
}

/**
 * How many rows an index has otherwise than a new one would: read anew and compared record by record. What is written
 * meanwhile is no fault. Null where that cannot be told: while the index is being read, or when more was written than is remembered.
 */
export function countMisindexed(db: Database, { shared, space }: ComparedIndex): number | null {
  const header = headerOf(shared);
  if (!isReady(header)) return null;
  const from = journalEnd(header);
  const fresh = createSharedIndex(0);
  loadRecords(db, space, recordsOf(fresh));
  const [now, anew] = [recordsOf(shared), recordsOf(fresh)];
  const faults = [...missing(now, anew), ...missing(anew, now)];
  const changed = changedRows(shared, from, journalEnd(header));
  return changed === null || !isReady(header) ? null : new Set(faults).difference(new Set(changed)).size;
}

/** The rows of one index that another one finds otherwise, or not at all. */
function* missing(among: Records, of: Records): Generator<number> {
  for (let slot = 0; slot < of.count(); slot++) {
    const own = of.bytesAt(slot);
    const seq = of.seqAt(slot);
    const place = among.slotOf(seq);
    if (own && (place < 0 || !among.bytesAt(place)?.equals(own))) yield seq;
  }
}
