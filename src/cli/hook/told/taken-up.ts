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

/**
 * Tells which notes an agent took up since it was told them: what it wrote or gave to its tools has marks of the note that it was
 * not given to read meanwhile by others.
 */
export function takenUp(
  tellings: readonly KeptTelling[],
  said: readonly Said[],
  hashOf: (key: string) => string,
): TakenUp {
  const wanted = new Set(tellings.flatMap(({ marks }) => [...marks]));
  const marked = markedBy(wanted, hashOf);
  const entries = said.map(({ texts, ...entry }): Marked => ({ ...entry, marks: marked(texts) }));
  const since = (telling: KeptTelling) => entries.filter((entry) => isSince(entry, telling));
  const watched = tellings.filter((telling) => since(telling).some(({ by }) => by === "agent"));
  const used = watched.filter((telling) => isTakenUp(telling, since(telling)));
  return { watched: watched.map(({ id }) => id), used: used.map(({ id }) => id) };
}

/** Entries may be written late: those that say when they were are held to it. */
const isSince = ({ offset, at }: Marked, telling: KeptTelling): boolean =>
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

/** Finds the wanted marks of texts; each piece is looked at once, however often it stands there. */
function markedBy(wanted: ReadonlySet<string>, hashOf: (key: string) => string) {
  const known = new Map<string, readonly (readonly [string, Weight])[]>();
  const ofPiece = (piece: string) => {
    const before = known.get(piece);
    if (before) return before;
    const marks = marksOf(piece)
      .map(([key, weight]) => [hashOf(key), weight] as const)
      .filter(([hash]) => wanted.has(hash));
    known.set(piece, marks);
    return marks;
  };
  return (texts: readonly string[]): ReadonlyMap<string, Weight> =>
    new Map(texts.flatMap((text) => [...piecesOf(text)].flatMap(ofPiece)));
}
