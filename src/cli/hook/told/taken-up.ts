import type { KeptTelling } from "./kept.ts";
import type { Said } from "./transcript.ts";
import type { Weight } from "./words.ts";
import { isEnough, marksOf, piecesOf } from "./words.ts";

/** What came of tellings: those of which something can be said by now, and those of them that were taken up. */
export interface TakenUp {
  readonly watched: readonly string[];
  readonly used: readonly string[];
}

/** An entry, by the marks in it that any telling has. */
interface Marked extends Omit<Said, "texts"> {
  readonly marks: ReadonlyMap<string, Weight>;
}

/** What tellings are judged by. */
export interface Judging {
  readonly said: readonly Said[];
  readonly hashOf: (key: string) => string;
  /** Whether there is time to go on. */
  readonly hasTime: () => boolean;
}

/**
 * Tells which notes an agent took up since it was told them: what it wrote or gave to its tools has marks of the note that it was
 * not given to read meanwhile by others. Null where there is no time to tell it.
 */
export function takenUp(tellings: readonly KeptTelling[], { said, hashOf, hasTime }: Judging): TakenUp | null {
  const wanted = new Set(tellings.flatMap(({ marks }) => [...marks]));
  const marksOfTexts = markedBy(wanted, hashOf);
  const marked: Marked[] = [];
  for (const { texts, ...entry } of said) {
    if (!hasTime()) return null;
    const marks = marksOfTexts(texts);
    if (marks.size > 0) marked.push({ ...entry, marks });
  }
  const done = said.filter(({ by }) => by === "agent");
  const watched = tellings.filter((telling) => done.some((entry) => isSince(entry, telling)));
  const used = watched.filter((telling) =>
    isTakenUp(
      telling,
      marked.filter((entry) => isSince(entry, telling)),
    ),
  );
  return { watched: watched.map(({ id }) => id), used: used.map(({ id }) => id) };
}

/** Entries may be written late: those that say when they were are held to it. */
const isSince = ({ offset, at }: Omit<Said, "texts">, telling: KeptTelling): boolean =>
  at === null ? offset >= telling.offset : at >= telling.at;

function isTakenUp({ marks }: KeptTelling, entries: readonly Marked[]): boolean {
  const given = new Set<string>();
  const taken = new Map<string, Weight>();
  for (const entry of entries) {
    for (const [mark, weight] of entry.marks) {
      if (!marks.has(mark)) continue;
      if (entry.by === "others") given.add(mark);
      else if (!given.has(mark)) taken.set(mark, weight);
    }
  }
  return isEnough([...taken.values()]);
}

const isAny = () => true;

/** Finds the wanted marks of texts; each piece is looked at once, however often it stands there. */
function markedBy(wanted: ReadonlySet<string>, hashOf: (key: string) => string) {
  const known = new Map<string, readonly (readonly [string, Weight])[]>();
  const ofPiece = (piece: string) => {
    const before = known.get(piece);
    if (before) return before;
    const marks = marksOf(piece, isAny)
      .map(([key, weight]) => [hashOf(key), weight] as const)
      .filter(([hash]) => wanted.has(hash));
    known.set(piece, marks);
    return marks;
  };
  return (texts: readonly string[]): ReadonlyMap<string, Weight> => {
    const marks = new Map<string, Weight>();
    for (const text of texts) {
      for (const piece of piecesOf(text)) for (const [hash, weight] of ofPiece(piece)) marks.set(hash, weight);
    }
    return marks;
  };
}
