import { CODE_BYTES } from "../../common/index-codes.ts";
import { FOUND_MAX, RECORD, RECORD_BYTES, ROOM, SCAN_NUMBERS } from "./layout.ts";

const CODE_WORDS = CODE_BYTES / 4;
const FARTHEST = 511;

/** The shared memory, as bytes and as numbers of four. */
interface View {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  /** Where the room of the scan begins. */
  readonly room: number;
}

/** The scan where WebAssembly has no SIMD; it does what assembly/scan.ts does, and its results are equal. */
export function scanPlain(buffer: ArrayBufferLike, records: number, count: number, room: number): number {
  const view: View = { bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), room };
  const passes = filterOf(view);
  const distanceTo = comparison(view);
  const nearest = poolOf(view);
  for (let slot = count - 1; slot >= 0; slot--) {
    const at = records + slot * RECORD_BYTES;
    if (passes(at, slot)) nearest.offer(slot, distanceTo(at));
  }
  return nearest.written();
}

const numberOf = ({ words, room }: View, name: (typeof SCAN_NUMBERS)[number]): number =>
  words[(room + ROOM.numbers) / 4 + SCAN_NUMBERS.indexOf(name)] ?? 0;

/** Whether the record at a place, of a slot, is one that may be found. */
function filterOf(view: View): (at: number, slot: number) => boolean {
  const { bytes, words, room } = view;
  const isSet = (from: number, bit: number): boolean => ((bytes[from + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
  const column = (at: number, place: number): number => words[(at + place) >> 2] ?? 0;
  const bit = (at: number, place: number): number => 1 << (bytes[at + place] ?? 0);
  const [author, isListed, audiences] = [
    numberOf(view, "author"),
    numberOf(view, "is_listed") !== 0,
    numberOf(view, "audiences"),
  ];
  const [types, statuses] = [numberOf(view, "types"), numberOf(view, "statuses")];
  const [createdFrom, createdTo] = [numberOf(view, "created_from"), numberOf(view, "created_to")];
  const [weightFrom, weightTo] = [numberOf(view, "weight_from"), numberOf(view, "weight_to")];
  const [expiresFrom, flags] = [numberOf(view, "expires_from"), numberOf(view, "flags")];

  const isReadable = (at: number): boolean => {
    const audience = column(at, RECORD.audience);
    return audience < audiences && isSet(room + ROOM.audiences, audience);
  };
  const isWithin = (value: number, from: number, to: number): boolean => value >= from && value <= to;
  return (at, slot) =>
    ((bytes[at + RECORD.flags] ?? 0) & flags) === flags &&
    isReadable(at) &&
    (author === 0 || column(at, RECORD.author) === author) &&
    isWithin(column(at, RECORD.created), createdFrom, createdTo) &&
    column(at, RECORD.expires) >= expiresFrom &&
    (types & bit(at, RECORD.type)) !== 0 &&
    (statuses & bit(at, RECORD.status)) !== 0 &&
    isWithin(bytes[at + RECORD.weight] ?? 0, weightFrom, weightTo) &&
    (!isListed || isSet(room + ROOM.passing, slot));
}

/** In how many bits that count a record's code differs from the question's. */
function comparison({ words, room }: View): (at: number) => number {
  const [code, mask] = [(room + ROOM.code) >> 2, (room + ROOM.mask) >> 2];
  return (at) => {
    let distance = 0;
    for (let i = 0; i < CODE_WORDS; i++)
      distance += bitsOf(((words[(at >> 2) + i] ?? 0) ^ (words[code + i] ?? 0)) & (words[mask + i] ?? 0));
    return distance;
  };
}

/** How many bits of 32 are set: the sums of two, of four and of eight bits side by side, then of all. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Keeps the nearest of the slots that are offered, and of equals the first. */
function poolOf(view: View) {
  const { words, room } = view;
  const pool = numberOf(view, "pool");
  const found = (room + ROOM.found) >> 2;
  const histogram = new Uint32Array(FARTHEST + 1);
  let worst = FARTHEST;
  let kept = 0;
  let written = 0;
  /** Throws out what is further than the last of the pool. */
  const dropFar = (): void => {
    let left = 0;
    for (let i = 0; i < written; i++) {
      if ((words[found + 2 * i + 1] ?? 0) > worst) continue;
      words.copyWithin(found + 2 * left, found + 2 * i, found + 2 * i + 2);
      left++;
    }
    written = left;
  };
  const narrow = (): void => {
    if (worst === FARTHEST) worst = histogram.findLastIndex((rows) => rows > 0);
    for (let last = histogram[worst] ?? 0; kept - last >= pool; last = histogram[worst] ?? 0) {
      kept -= last;
      worst--;
    }
  };
  return {
    offer(slot: number, distance: number): void {
      if (kept >= pool && distance >= worst) return;
      if (written === FOUND_MAX) dropFar();
      words[found + 2 * written] = slot;
      words[found + 2 * written + 1] = distance;
      written++;
      kept++;
      histogram[distance] = (histogram[distance] ?? 0) + 1;
      if (kept >= pool) narrow();
    },
    written: () => written,
  };
}
