import { stemmer } from "stemmer";
import { sha256 } from "../../../core/kernel/hash.ts";
import { spelled } from "../../../text/words/letters.ts";
import { isChatty, isOrdinary } from "../../../text/words/ordinary-words.ts";
import { STOP_WORDS, wordsIn } from "../../../text/words/terms.ts";
import { isUnspaced, ngramsToFind } from "../../../text/words/unspaced-scripts.ts";

// What tells that a note was taken up: words of it that nobody writes by chance. They are kept as hashes alone.

/** What a piece of a text says: by itself, as a value or a name of code does, or only beside another one. */
export type Weight = "strong" | "plain";
export type Marks = ReadonlyMap<string, Weight>;

/** Marks of one note that are kept. */
const MARKS_MAX = 12;
/** What a note must hold, and what must be taken up of it: one strong mark or two plain ones. */
const ENOUGH = 2;
const WORTH: Readonly<Record<Weight, number>> = { strong: 2, plain: 1 };
const WORD_MIN = 4;
const CODE_MIN = 5;
const VALUE_MIN = 3;
/** Characters of a piece that are looked at; what is longer is no word that somebody would repeat. */
const PIECE_MAX = 200;

/** Words that any work on code is full of. */
const OF_WORK = new Set(
  `api array async await branch build bugfix cache callback class client column commit config configuration console constant
  container database debug default delete dependency deploy deployment directory docker endpoint error exception export file
  filter folder format framework function github gitlab handler helper http https import index input install instance
  integration interface java javascript json keyword library linter linux list local logging login main merge metadata method
  migration module node null object option output package param parameter parse parser patch path pipeline plugin production
  project prompt property push python query queue react readme refactor regex release remote render repo repository request
  response return root route router runtime schema script server service session setting setup shell socket source staging
  status string syntax table template terminal test thread timeout token tool typescript undefined update upgrade upload
  user username util validate validation value variable version warning widget workflow wrapper yaml`
    .split(/\s+/)
    .map((word) => stemmer(word)),
);

/** What is written together, as words, values, paths and names of code are. Each sign has one way to be read. */
const PIECE = /[\p{L}\p{N}\p{M}_]+(?:[-./:@#+][\p{L}\p{N}\p{M}_]+)*/gu;

/** The distinct pieces of a text. */
export const piecesOf = (text: string): Set<string> => new Set(text.match(PIECE));

/**
 * What a piece marks, each under a key that other ways to write the same have, too. Whoever looks for marks that were chosen
 * has no need to ask of every word whether it is one.
 */
export function marksOf(piece: string, isMark: (word: string) => boolean = isSeldom): [key: string, weight: Weight][] {
  if (piece.length > PIECE_MAX) return [];
  const marks: [string, Weight][] = [];
  if (isValue(piece) || isCode(piece)) marks.push([`=${spelled(piece)}`, "strong"]);
  const name = piece.slice(piece.lastIndexOf("/") + 1);
  if (name !== piece && isCode(name)) marks.push([`=${spelled(name)}`, "strong"]);
  for (const word of wordsIn(ngramsToFind(piece.replaceAll("_", " ")))) {
    if (isLong(word) && isMark(word)) marks.push([`~${stemmer(spelled(word))}`, "plain"]);
  }
  return marks;
}

const DIGIT = /\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;

/** A number, a version, a port, a date: but no year and nothing that is counted on fingers. */
const isValue = (piece: string): boolean =>
  piece.length >= VALUE_MIN && DIGIT.test(piece) && !YEAR.test(piece) && !ORDINAL.test(piece);

/** A name that only code has, or the path of a file. */
const isCode = (piece: string): boolean =>
  piece.length >= CODE_MIN &&
  (/[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(piece) ||
    /^\p{Ll}+\p{Lu}/u.test(piece) ||
    /\p{L}\.\p{L}\p{L}/u.test(piece) ||
    piece.split("/", 3).length === 3);

/** A word of some letters; of the signs of a script without spaces two are a word. */
const isLong = (word: string): boolean =>
  !DIGIT.test(word) && (word.length >= WORD_MIN || (word.length > 1 && isUnspaced(word)));

/** A word that is not everywhere. */
function isSeldom(word: string): boolean {
  const lower = spelled(word);
  return !(STOP_WORDS.has(lower) || isChatty(lower) || isOrdinary(lower) || OF_WORK.has(stemmer(lower)));
}

/** All marks of a text. */
const allMarks = (text: string): Map<string, Weight> => new Map([...piecesOf(text)].flatMap((piece) => marksOf(piece)));

/** The marks of a note that a prompt does not hold: strong ones before plain ones, and the longest of these; none where they are too few. */
export function tellingMarks(note: string, prompt: string): string[] {
  const asked = allMarks(prompt);
  const marks = [...allMarks(note)].filter(([key]) => !asked.has(key));
  const order = ([key, weight]: [string, Weight]): number => WORTH[weight] * PIECE_MAX + key.length;
  const chosen = marks.toSorted((a, b) => order(b) - order(a)).slice(0, MARKS_MAX);
  return isEnough(chosen.map(([, weight]) => weight)) ? chosen.map(([key]) => key) : [];
}

/** Whether so much of a note shows that it was taken up. */
export const isEnough = (weights: readonly Weight[]): boolean =>
  weights.reduce((sum, weight) => sum + WORTH[weight], 0) >= ENOUGH;

const HASH_LENGTH = 12;

/** Hashes marks in a way of the session's own: whoever finds them beside its file does not learn the words. */
export const hasherOf =
  (session: string) =>
  (key: string): string =>
    sha256(`${session}\n${key}`).slice(0, HASH_LENGTH);
