import { UNIT, type UnigramVocabulary } from "./unigram-vocabulary.ts";

/** How much less likely than the least likely piece a character is that no piece covers (SentencePiece). */
const UNKNOWN_PENALTY = 10;
const BYTES_PER_CODE_UNIT = 3;
const FIRST_ROOM = 1_024;

/** Where the likeliest way to each place of a word came from. */
interface Lattice {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly best: Float64Array;
  readonly from: Int32Array;
  readonly piece: Int32Array;
}

const lattice = (bytes: number): Lattice => ({
  bytes: new Uint8Array(bytes),
  best: new Float64Array(bytes + 1),
  from: new Int32Array(bytes + 1),
  piece: new Int32Array(bytes + 1),
});

/**
 * Cuts words into the pieces whose probabilities have the greatest product (Kudo 2018), in time linear in their length. Characters
 * that no piece covers become one unknown piece, as many as stand together; of two ways that are as likely, the one found first
 * stays. All of that is as Hugging Face's tokenizers do it. Returns the numbers of the pieces.
 */
export function unigramEncoder(vocabulary: UnigramVocabulary): (words: readonly string[]) => number[] {
  const utf8 = new TextEncoder();
  let least = 0;
  for (const score of vocabulary.scores) if (score < least) least = score;
  let room = lattice(FIRST_ROOM);
  return (words) => {
    const ids: number[] = [];
    for (const word of words) {
      const wanted = word.length * BYTES_PER_CODE_UNIT;
      if (wanted > room.bytes.length) room = lattice(2 * wanted);
      const { written } = utf8.encodeInto(word, room.bytes);
      findBest(vocabulary, least - UNKNOWN_PENALTY, room, written);
      append(ids, room, written, vocabulary.unknown);
    }
    return ids;
  };
}

function findBest(vocabulary: UnigramVocabulary, unknownScore: number, room: Lattice, end: number): void {
  room.from.fill(-1, 0, end + 1);
  room.best[0] = 0;
  let next = 0;
  for (let start = 0; start < end; start = next) {
    next = start + lengthOfCharacter(room.bytes[start] ?? 0);
    if (!offerPieces(vocabulary, room, start, next, end)) offer(room, start, next, unknownScore, vocabulary.unknown);
  }
}

/** Offers all pieces that begin at a place; whether one of them is just the character up to `next`. */
function offerPieces(
  { units, scores }: UnigramVocabulary,
  room: Lattice,
  start: number,
  next: number,
  end: number,
): boolean {
  let isCovered = false;
  let unit = units[0] ?? 0;
  for (let at = start; at < end; ) {
    const byte = room.bytes[at++] ?? 0;
    unit = units[(unit >>> UNIT.baseShift) ^ byte] ?? 0;
    // No piece has a zero byte, with which units are marked that nothing leads to.
    if (byte === 0 || (unit & UNIT.byteMask) !== byte) break;
    if ((unit & UNIT.ends) === 0) continue;
    const number = (units[unit >>> UNIT.baseShift] ?? 0) >>> UNIT.baseShift;
    offer(room, start, at, scores[number] ?? 0, number);
    if (at === next) isCovered = true;
  }
  return isCovered;
}

function offer({ best, from, piece }: Lattice, start: number, to: number, score: number, number: number): void {
  const sum = (best[start] ?? 0) + score;
  if (from[to] !== -1 && sum <= (best[to] ?? 0)) return;
  best[to] = sum;
  from[to] = start;
  piece[to] = number;
}

/** Adds the pieces of the likeliest way, read from its end. */
function append(ids: number[], { from, piece }: Lattice, end: number, unknown: number): void {
  const first = ids.length;
  let last = -1;
  for (let at = end; at > 0; at = from[at] ?? 0) {
    const number = piece[at] ?? unknown;
    if (number !== unknown || last !== unknown) ids.push(number);
    last = number;
  }
  for (let left = first, right = ids.length - 1; left < right; left++, right--) {
    const kept = ids[left] ?? 0;
    ids[left] = ids[right] ?? 0;
    ids[right] = kept;
  }
}

/** Bytes of the UTF-8 character that begins with this one. */
function lengthOfCharacter(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
