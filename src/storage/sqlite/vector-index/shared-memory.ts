import { HEADER, JOURNAL_OFFSET, JOURNAL_ROWS, PAGE_BYTES, PAGES_MAX, ROOM_BYTES, ROOMS_OFFSET } from "./layout.ts";

/** The memory that all threads of an index share. */
export interface SharedIndex {
  readonly memory: WebAssembly.Memory;
  /** How many threads have room to scan in. */
  readonly rooms: number;
}

/** Room for the scans of so many threads, and no records yet. */
export function createSharedIndex(rooms: number): SharedIndex {
  const initial = Math.ceil(recordsOffset({ rooms }) / PAGE_BYTES);
  return { memory: new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true }), rooms };
}

/** Where the records begin. */
export const recordsOffset = ({ rooms }: Pick<SharedIndex, "rooms">): number => ROOMS_OFFSET + rooms * ROOM_BYTES;

/** The header's numbers, to be read and written as a whole by any thread. */
export const headerOf = ({ memory }: SharedIndex): Int32Array => new Int32Array(memory.buffer, 0, 16);

/** Whether every row is in the index. */
export const isReady = (header: Int32Array): boolean => Atomics.load(header, HEADER.ready) === 1;

/** How often the rows were read: a search that sees it change had rows that are there no longer. */
export const loadsOf = (header: Int32Array): number => Atomics.load(header, HEADER.loads);

/** Says that a row was changed, to all who keep something of it. */
export function journalRow({ memory }: SharedIndex, header: Int32Array, seq: number): void {
  const at = Atomics.load(header, HEADER.journaled);
  const place = (at >>> 0) % JOURNAL_ROWS;
  new Uint32Array(memory.buffer, JOURNAL_OFFSET, JOURNAL_ROWS)[place] = seq;
  Atomics.store(header, HEADER.journaled, at + 1);
}

/** How far the journal is. */
export const journalEnd = (header: Int32Array): number => Atomics.load(header, HEADER.journaled);

/** The rows changed from one place of the journal to another, each once; null when it does not reach so far back. */
export function changedRows(index: SharedIndex, from: number, to: number): number[] | null {
  if (!reachesBack(from, to)) return null;
  const journal = new Uint32Array(index.memory.buffer, JOURNAL_OFFSET, JOURNAL_ROWS);
  const rows = new Set<number>();
  for (let at = from; at !== to; at = (at + 1) | 0) rows.add(journal[(at >>> 0) % JOURNAL_ROWS] ?? 0);
  // A commit of many rows may have overwritten some meanwhile.
  return reachesBack(from, journalEnd(headerOf(index))) ? [...rows] : null;
}

/** Whether the journal still has every entry from one place on. One more may be written this moment. */
function reachesBack(from: number, end: number): boolean {
  const entries = (end - from) | 0;
  return entries >= 0 && entries < JOURNAL_ROWS;
}
