import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { once } from "../../../core/kernel/once.ts";
import type { IndexedQuestion } from "../../common/index-codes.ts";
import { CODE_BYTES, likeness } from "../../common/index-codes.ts";
import { FLAG, HEADER, RECORD, RECORD_BYTES, ROOM, ROOM_BYTES, ROOMS_OFFSET, SCAN_NUMBERS } from "./layout.ts";
import { scanPlain } from "./scan-plain.ts";
import { scanUrl } from "./scan-url.ts";
import type { SharedIndex } from "./shared-memory.ts";
import { headerOf, recordsOffset } from "./shared-memory.ts";

/** What the columns of a row must be, in the units of the index; both ends are among a range. */
export interface ColumnFilter {
  /** Audiences whose rows may be found. */
  readonly audiences: readonly number[];
  /** 0 for any. */
  readonly author: number;
  readonly created_from: number;
  readonly created_to: number;
  readonly expires_from: number;
  /** Bits of types and statuses. */
  readonly types: number;
  readonly statuses: number;
  readonly weight_from: number;
  readonly weight_to: number;
}

/** Which rows a scan may find, and how many. */
export interface RowRequest {
  readonly columns: ColumnFilter;
  readonly pool: number;
  /** Slots that alone may be found; null for all. */
  readonly passing: Iterable<number> | null;
}

export interface ScanRequest extends RowRequest {
  readonly question: IndexedQuestion;
}

/** Scans the records of an index, in a room of its own. */
export interface Scanner {
  /** The slots nearest to a question, nearest first. */
  nearest(request: ScanRequest): number[];
  /** The newest slots, newest first, whether their rows have vectors or not; at most `FOUND_MAX`. */
  newest(request: RowRequest): number[];
}

/** Rows whose signs are nearest, for each of the pool, that are ranked by the question's values. */
const SHORTLIST = 8;
/** How long a scan waits at most for records that are being moved, in milliseconds. */
const MOVE_MS = 50;
/** Audiences that a filter can name: their bits have so much room. */
export const AUDIENCES_MAX = (ROOM.found - ROOM.audiences) * 8;

type Kernel = (records: number, count: number, room: number) => number;

/** A scanner of one room; `plain` does without WebAssembly. Throws RangeError for audiences beyond `AUDIENCES_MAX`. */
export function openScanner(shared: SharedIndex, room: number, { plain = false } = {}): Scanner {
  const { memory } = shared;
  const header = headerOf(shared);
  const at = ROOMS_OFFSET + room * ROOM_BYTES;
  const records = recordsOffset(shared);
  const kernel = (plain ? null : compiledKernel(memory)) ?? ((...given) => scanPlain(memory.buffer, ...given));
  /** Scans until no record was moved meanwhile; `read` takes what was found, in pairs of slot and distance. */
  const scan = (asked: Scan, read: (pairs: Uint32Array) => number[]): number[] => {
    writeRoom(new DataView(memory.buffer, at, ROOM_BYTES), asked);
    for (;;) {
      const version = Atomics.load(header, HEADER.version);
      if (version % 2 !== 0) {
        Atomics.wait(header, HEADER.version, version, MOVE_MS);
        continue;
      }
      const written = kernel(records, Atomics.load(header, HEADER.count), at);
      const slots = read(new Uint32Array(memory.buffer, at + ROOM.found, 2 * written));
      if (Atomics.load(header, HEADER.version) === version) return slots;
    }
  };
  return {
    nearest({ question, pool, ...rows }) {
      const shortlist = pool * SHORTLIST;
      return scan({ ...rows, ...question, pool: shortlist, flags: FLAG.coded | FLAG.live }, (pairs) =>
        rankedBy(question.table, nearestOf(pairs, shortlist), new Uint8Array(memory.buffer, records)).slice(0, pool),
      );
    },
    // Where no bit counts, all are as near, and the first are the newest.
    newest: (rows) =>
      scan({ ...rows, code: NO_BITS, mask: NO_BITS, flags: FLAG.live }, (pairs) => nearestOf(pairs, rows.pool)),
  };
}

const NO_BITS = new Uint8Array(CODE_BYTES);

/** What a scan is told. */
interface Scan extends RowRequest {
  readonly code: Uint8Array;
  readonly mask: Uint8Array;
  /** What a record must have. */
  readonly flags: number;
}

const moduleOnce = once((): WebAssembly.Module | null => {
  try {
    return new WebAssembly.Module(readFileSync(fileURLToPath(scanUrl)));
  } catch {
    return null; // No SIMD on this processor, or a source tree that was not built.
  }
});

function compiledKernel(memory: WebAssembly.Memory): Kernel | null {
  const compiled = moduleOnce();
  if (!compiled) return null;
  const { scan } = new WebAssembly.Instance(compiled, { env: { memory } }).exports;
  // Safe: the module exports this one function, which the build compiles.
  return scan as Kernel;
}

function writeRoom(room: DataView, { code, mask, columns, pool, passing, flags }: Scan): void {
  const bytes = new Uint8Array(room.buffer, room.byteOffset, room.byteLength);
  bytes.set(code, ROOM.code);
  bytes.set(mask, ROOM.mask);
  const bits = columns.audiences.reduce((most, audience) => Math.max(most, audience + 1), 0);
  if (bits > AUDIENCES_MAX) throw new RangeError(`The vector index tells ${AUDIENCES_MAX} sets of readers apart.`);
  const numbers = { ...columns, pool, audiences: bits, is_listed: passing ? 1 : 0, flags };
  for (const [i, name] of SCAN_NUMBERS.entries()) room.setUint32(ROOM.numbers + 4 * i, numbers[name], true);
  setBits(bytes, ROOM.audiences, columns.audiences, bits);
  if (passing) setBits(bytes, ROOM.passing, passing, (ROOM_BYTES - ROOM.passing) * 8);
}

function setBits(bytes: Uint8Array, from: number, set: Iterable<number>, bits: number): void {
  bytes.fill(0, from, from + Math.ceil(bits / 8));
  for (const bit of set) bytes[from + (bit >> 3)] = (bytes[from + (bit >> 3)] ?? 0) | (1 << (bit & 7));
}

/** The slots of the least distances, in their order, as they were found among equals. Takes pairs of slot and distance. */
function nearestOf(pairs: Uint32Array, wanted: number): number[] {
  const starts = new Uint32Array(CODE_BYTES * 8 + 2);
  for (let i = 1; i < pairs.length; i += 2) starts[(pairs[i] ?? 0) + 1] = (starts[(pairs[i] ?? 0) + 1] ?? 0) + 1;
  for (let d = 1; d < starts.length; d++) starts[d] = (starts[d] ?? 0) + (starts[d - 1] ?? 0);
  const slots = new Array<number>(pairs.length / 2);
  for (let i = 0; i < pairs.length; i += 2) {
    const distance = pairs[i + 1] ?? 0;
    const place = starts[distance] ?? 0;
    starts[distance] = place + 1;
    slots[place] = pairs[i] ?? 0;
  }
  return slots.slice(0, wanted);
}

/** Slots by how much their codes are like the question, most first. */
function rankedBy(table: Float32Array, slots: readonly number[], records: Uint8Array): number[] {
  const ranked = slots.map((slot) => ({ slot, sum: likeness(table, records, slot * RECORD_BYTES + RECORD.code) }));
  return ranked.sort((a, b) => b.sum - a.sum || b.slot - a.slot).map(({ slot }) => slot);
}
