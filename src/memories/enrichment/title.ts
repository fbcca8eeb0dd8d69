import { characterCount, FULL_STOPS, preview } from "../../core/kernel/text.ts";
import { languageOf } from "../../text/language.ts";
import { CLOSERS } from "../../text/sentence-marks.ts";
import { endsInPoint } from "../../text/words/sentences.ts";
import { STOP_WORDS } from "../../text/words/terms.ts";

/** Characters of a title that is drawn from a text. */
export const TITLE_LENGTH = 80;
/** How far into a text its title is looked for. */
const LOOK_WITHIN = 1_000;
/** Lines and sentences looked at before giving up. */
const LINES_MAX = 12;
const SENTENCES_MAX = 6;

/** What stands before the words of a line: marks of headings, lists, quotes and emphasis. */
const MARKS = /^(?:\s*(?:#{1,6}\s|[-*+•>]\s|\d{1,2}[.)]\s|\[[ xX]\]\s))+|^[\s*_~`"'“”]+/;
/** Lines that are made for machines. */
const MACHINE =
  /^(?:```|~~~|[{}[\]<|]|https?:\/\/\S+$|(?:import|from|const|let|var|def|class|function|return|SELECT|at)\s.*[;({:=]|[-=_*~\s]{3,}$)/;
/** Words that greet, thank and cheer: a sentence of them names no subject. */
const FILLER = new Set(
  `hey hi hello thanks thank ok okay wow yes yeah yep no nope great good cool nice sure well so oh ah haha lol bye please
  sorry awesome amazing welcome morning evening afternoon everyone all guys right really absolutely definitely fine glad
  see got know think`.split(/\s+/),
);
/** Words, folded, that a sentence must tell with to serve as a title before others do. */
const TELLING_MIN = 2;
/** Points that end no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Za-z]|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|e\.g|i\.e|etc|approx|Inc|Ltd|Co|Jr|Sr|Fig|vol|dept)\.$/;

/** A title of at most 80 characters from the first sentence that says something; null rather than junk. */
export function titleOf(content: string): string | null {
  let second: string | null = null;
  let looked = 0;
  for (const sentence of firstSentences(content.slice(0, LOOK_WITHIN))) {
    if (isTelling(sentence)) return shortened(sentence);
    if (isReadable(sentence)) second ??= sentence;
    if (++looked >= SENTENCES_MAX) break;
  }
  return second === null ? null : shortened(second);
}

function* firstSentences(text: string): Generator<string> {
  let inCode = false;
  for (const raw of text.split("\n", LINES_MAX)) {
    if (/^\s*(?:```|~~~)/.test(raw)) inCode = !inCode;
    const line = raw.replace(MARKS, "").trim();
    if (line !== "" && !inCode && !MACHINE.test(line)) yield* sentencesOf(line);
  }
}

/** A mark before a space and what may begin a sentence, or one that needs no space. */
const ENDING = new RegExp(
  `(?<![.!?])[.!?]+["')\\]]*\\s+(?=[^\\sa-z])|(?<![${FULL_STOPS}])[${FULL_STOPS}]+[${CLOSERS}"')\\]]*\\s*(?=\\S)`,
  "g",
);

/**
 * Sentences of a line: they end at a mark before a space and a capital, unless the mark ends an abbreviation, and at the full
 * stops of other scripts.
 */
function* sentencesOf(line: string): Generator<string> {
  const language = languageOf(line) ?? "en";
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(ENDING)) {
    const end = index + mark.trimEnd().length;
    const told = line.slice(start, end);
    if (ABBREVIATION.test(told) || endsInPoint(told, language)) continue;
    yield told;
    start = index + mark.length;
  }
  yield line.slice(start);
}

const LABEL = /^[^\d\s:][^:]{0,40}:\s/;

const SEPARATORS = /[\s.,;:!?"'’“”()[\]…—–/-]+/;
const NUMBER = /^\d/;
/** Letters without a space between them that tell as much as words do. */
const UNSPACED_TELLING =
  /(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]){5}|[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{M}]{10}/u;

function isTelling(sentence: string): boolean {
  if (UNSPACED_TELLING.test(sentence)) return isReadable(sentence);
  let telling = 0;
  for (const word of sentence.replace(LABEL, "").toLowerCase().split(SEPARATORS)) {
    if (word !== "" && !NUMBER.test(word) && !STOP_WORDS.has(word) && !FILLER.has(word)) telling++;
    if (telling >= TELLING_MIN) return isReadable(sentence);
  }
  return false;
}

const PLAIN_WORDS = /^[A-Za-z]{1,20}(?:[ ,;:'-]{1,2}[A-Za-z]{1,20})*[.!?]?$/;
const LETTERS_MIN = 3;
const LETTER_SHARE = 0.5;
/** So long a word is a code or a key. */
const LONG_WORD = /\S{48}/;

/** Made of words, not of codes, marks and numbers. */
function isReadable(sentence: string): boolean {
  if (PLAIN_WORDS.test(sentence) && sentence.length >= LETTERS_MIN) return true;
  const letters = sentence.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  const marks = sentence.match(/\S/gu)?.length ?? 0;
  return letters >= LETTERS_MIN && letters >= marks * LETTER_SHARE && !LONG_WORD.test(sentence);
}

/** Cut between words, with a sign that it was cut; a sentence's own last point goes. */
function shortened(sentence: string): string {
  const clean = sentence
    .replace(/[*_`]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.,;:…\s-])[.,;:…\s-]+$/, "");
  if (characterCount(clean) <= TITLE_LENGTH) return clean;
  const room = preview(clean, TITLE_LENGTH - 1);
  const cut = room.lastIndexOf(" ");
  return `${(cut > TITLE_LENGTH / 2 ? room.slice(0, cut) : room).replace(/(?<![.,;:…\s-])[.,;:…\s-]+$/, "")}…`;
}
