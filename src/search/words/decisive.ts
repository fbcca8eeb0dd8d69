import type { WeighedWord } from "../../core/ports/hits.ts";
import { isChatty, isOrdinary } from "../../text/words/ordinary-words.ts";
import type { Question } from "../question.ts";
import { bitsWhere } from "../signals.ts";
import type { AskedWord } from "./equals.ts";
import { writtenWords } from "./equals.ts";

/** A question of so few words beside those that only ask is about each of them, however ordinary. */
const PLAIN_WORDS = 3;
/** The words of a code together are rare where one of them is in no more rows than these. */
const CODE_ROWS = 8;

/**
 * The words, as bits, that a row must hold, all of them, to go before every row that does not; 0 for none. They are what one
 * row of those that the caller sees holds alone, or else the words of a code, with the names that the question gives. Told by
 * how many rows hold each word and never by the hits, so that no word more in a row ever takes from it.
 *
 * Among words that no row holds as they are written, a rare one stands in its row by chance as often as not, and so does an ordinary one in
 * a long question. What only may stand for a word decides nothing.
 */
export function decisiveWords(
  all: readonly AskedWord[],
  { names, compounds }: Pick<Question, "names" | "compounds">,
): number {
  const words = all.filter(({ is_guess }) => is_guess !== true);
  const written = writtenWords(words).filter(({ word }) => !isChatty(word));
  if (written.some(({ rows, read_as }) => rows === 0 || read_as !== undefined)) return 0;
  // What stands for a word that a row holds itself is not asked for.
  const absent = new Set(words.flatMap(({ word, rows }) => (rows === 0 ? [word] : [])));
  const asked = words.filter(({ word, equal_to }) => !isChatty(word) && (!equal_to || absent.has(equal_to)));
  const telling = new Set(asked.filter(({ word }) => names.has(word) || !isOrdinary(word)));
  const lone = bitsWhere(all, (word) => word.rows === 1 && asked.includes(word));
  const subject =
    bitsWhere(all, (word) => word.rows === 1 && telling.has(word)) ||
    bitsOfCodes(all, { compounds, telling }) ||
    (written.length <= PLAIN_WORDS ? lone : 0);
  return subject && subject | bitsWhere(all, ({ word, weight }) => weight > 0 && names.has(word));
}

/** The words of all rare codes of the question. */
function bitsOfCodes(
  words: readonly WeighedWord[],
  { compounds, telling }: { readonly compounds: Question["compounds"]; readonly telling: ReadonlySet<WeighedWord> },
): number {
  const codes = compounds.map((pieces) => words.filter(({ word, weight }) => weight > 0 && pieces.includes(word)));
  const rare = codes.filter(
    (held) => held.some(({ rows }) => rows <= CODE_ROWS) && held.some((one) => telling.has(one)),
  );
  return rare.reduce((bits, held) => bits | bitsWhere(words, (word) => held.includes(word)), 0);
}
