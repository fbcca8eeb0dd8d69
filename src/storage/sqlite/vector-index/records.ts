import { CODE_BYTES } from "../../common/index-codes.ts";
import { FLAG, HEADER, PAGE_BYTES, PAGES_MAX, RECORD, RECORD_BYTES } from "./layout.ts";
import type { SharedIndex } from "./shared-memory.ts";
import { headerOf, recordsOffset } from "./shared-memory.ts";

/** What filters ask of a row, in the units of the index. */
export interface IndexedColumns {
  readonly seq: number;
  readonly audience: number;
  readonly author: number;
  readonly created: number;
  readonly expires: number;
  readonly type: number;
  readonly status: number;
  readonly weight: number;
  readonly is_live: boolean;
}

/** The columns of a record, read in place. */
export type ReadColumn = (
  slot: number,
  name: "audience" | "author" | "created" | "expires" | "type" | "status" | "weight" | "flags",
) => number;

/** The records of an index; one thread alone writes them. */
export interface Records {
  count(): number;
  /** Writes a row's record, new or not; null for a row without a code. Throws RangeError when there is no more memory. */
  put(columns: IndexedColumns, code: Uint8Array | null): void;
  /** Gives the record of a row its code; nothing happens where the row has none. */
  putCode(seq: number, code: Uint8Array): void;
  /** Takes a row out: its record stays, found by nobody. */
  remove(seq: number): void;
  /** Whose record lies in a slot. */
  seqAt(slot: number): number;
  /** The slot of a row; -1 when it has none. */
  slotOf(seq: number): number;
  /** One column of the record in a slot. */
  column: ReadColumn;
  /** The record of a slot whose row is found by its code; null for every other. */
  bytesAt(slot: number): Buffer | null;
}

/** How many pages the memory grows by at a time, beyond what is asked for. */
const GROWTH = 1.25;

/** The records of a shared index. */
export function recordsOf(shared: SharedIndex): Records {
  const header = headerOf(shared);
  const base = recordsOffset(shared);
  let bytes = new DataView(shared.memory.buffer);
  const count = (): number => Atomics.load(header, HEADER.count);

  const view = (slots: number): DataView => {
    // Another thread may have grown the memory since.
    if (bytes.byteLength < base + slots * RECORD_BYTES) bytes = new DataView(shared.memory.buffer);
    return bytes;
  };
  const seqAt = (slot: number): number => view(slot + 1).getUint32(base + slot * RECORD_BYTES + RECORD.seq, true);
  const slotOf = (seq: number): number => {
    const slot = firstFrom(count(), seqAt, seq);
    return slot < count() && seqAt(slot) === seq ? slot : -1;
  };
  const makeRoom = (slot: number): void => {
    grow(shared, base + (count() + 1) * RECORD_BYTES);
    const last = count();
    view(last + 1);
    if (slot === last) return;
    // Rows come in the order of their numbers, but for a number that is used again.
    Atomics.add(header, HEADER.version, 1);
    const from = base + slot * RECORD_BYTES;
    new Uint8Array(shared.memory.buffer).copyWithin(from + RECORD_BYTES, from, base + last * RECORD_BYTES);
    Atomics.store(header, HEADER.count, last + 1);
    Atomics.add(header, HEADER.version, 1);
  };
  const flagsAt = (slot: number): number => view(slot + 1).getUint8(base + slot * RECORD_BYTES + RECORD.flags);
  const setFlags = (slot: number, flags: number): void =>
    view(slot + 1).setUint8(base + slot * RECORD_BYTES + RECORD.flags, flags);
  const writeCode = (slot: number, code: Uint8Array): void => {
    const { buffer } = view(slot + 1);
    new Uint8Array(buffer, base + slot * RECORD_BYTES + RECORD.code, CODE_BYTES).set(code);
  };

  return {
    count,
    seqAt,
    slotOf,
    column: (slot, name) => {
      const at = base + slot * RECORD_BYTES + RECORD[name];
      return RECORD[name] < RECORD.type ? view(slot + 1).getUint32(at, true) : view(slot + 1).getUint8(at);
    },
    bytesAt: (slot) => {
      if (flagsAt(slot) !== (FLAG.coded | FLAG.live)) return null;
      return Buffer.from(view(slot + 1).buffer, base + slot * RECORD_BYTES, RECORD_BYTES);
    },
    put(columns, code) {
      const slot = firstFrom(count(), seqAt, columns.seq);
      if (slot === count() || seqAt(slot) !== columns.seq) makeRoom(slot);
      const at = base + slot * RECORD_BYTES;
      if (code) writeCode(slot, code);
      bytes.setUint32(at + RECORD.seq, columns.seq, true);
      bytes.setUint32(at + RECORD.audience, columns.audience, true);
      bytes.setUint32(at + RECORD.author, columns.author, true);
      bytes.setUint32(at + RECORD.created, columns.created, true);
      bytes.setUint32(at + RECORD.expires, columns.expires, true);
      bytes.setUint8(at + RECORD.type, columns.type);
      bytes.setUint8(at + RECORD.status, columns.status);
      bytes.setUint8(at + RECORD.weight, columns.weight);
      setFlags(slot, (code ? FLAG.coded : 0) | (columns.is_live ? FLAG.live : 0));
      if (slot === count()) Atomics.store(header, HEADER.count, slot + 1);
    },
    putCode(seq, code) {
      const slot = slotOf(seq);
      if (slot < 0) return;
      writeCode(slot, code);
      setFlags(slot, flagsAt(slot) | FLAG.coded);
    },
    remove(seq) {
      const slot = slotOf(seq);
      if (slot >= 0) setFlags(slot, 0);
    },
  };
}

/** Numbers are nearly dense: where a row would be without gaps is tried before the records are halved. */
function firstFrom(count: number, seqAt: (slot: number) => number, seq: number): number {
  if (count === 0 || seq > seqAt(count - 1)) return count;
  let low = 0;
  let high = count - 1;
  const guess = Math.min(high, Math.max(0, high - (seqAt(high) - seq)));
  if (seqAt(guess) === seq) return guess;
  // There are no more rows between two than numbers, so that the row lies behind the guess.
  if (seqAt(guess) < seq) low = guess + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seqAt(middle) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function grow({ memory }: SharedIndex, bytes: number): void {
  if (memory.buffer.byteLength >= bytes) return;
  const pages = memory.buffer.byteLength / PAGE_BYTES;
  const wanted = Math.ceil((bytes / PAGE_BYTES) * GROWTH);
  memory.grow(Math.max(Math.ceil(bytes / PAGE_BYTES), Math.min(PAGES_MAX, wanted)) - pages);
}
