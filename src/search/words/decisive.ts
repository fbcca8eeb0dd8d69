import type { Hit, WeighedWord } from "../../core/ports/hits.ts";
import { isChatty, isOrdinary } from "../../text/words/ordinary-words.ts";
import { fold } from "../../text/words/terms.ts";
import type { Question } from "../question.ts";
import { bitsWhere } from "../signals.ts";

/** Of a word in more rows than these not all need be among the hits, to tell how many of them hold it. */
const TOLD_ROWS = 8;
/** A question of so few words beside those that only ask is about each of them, however ordinary. */
const PLAIN_WORDS = 3;

/** What a question may be about: a word, or a code of several words, as bits. */
interface Subject {
  readonly bits: number;
  /** Written as a name or code, or no ordinary word. */
  readonly isTelling: boolean;
}

/**
 * The hit that the question must mean, because it alone holds its rarest word, or the words of a code together; null where
 * there is none, or several. Among others that nobody's row holds, such a word stands there by chance as often as not, and so
 * does an ordinary one in a long question, and one that stands without the names that the question also gives.
 */
export function decisiveHit(hits: readonly Hit[], words: readonly WeighedWord[], question: Question): Hit | null {
  if (words.some(({ word, rows }) => rows === 0 && !isChatty(word))) return null;
  const subjects = subjectsOf(words, question);
  const telling = holdersOf(
    hits,
    subjects.filter(({ isTelling }) => isTelling),
  );
  const [found, ...others] =
    telling.length > 0 || words.filter(({ word }) => !isChatty(word)).length > PLAIN_WORDS
      ? telling
      : holdersOf(hits, subjects);
  if (!found || others.length > 0) return null;
  return words.every((word, i) => !question.names.has(word.word) || holds(found, word, 1 << i)) ? found : null;
}

/** Whether a hit holds a word of the question; of one that is in too many rows its bits do not tell. */
const holds = ({ own_words, memory }: Hit, { word, weight }: WeighedWord, bit: number): boolean =>
  weight > 0 ? (own_words & bit) !== 0 : fold(memory.content).includes(word);

function subjectsOf(words: readonly WeighedWord[], { names, compounds }: Question): Subject[] {
  const isTelling = ({ word }: WeighedWord): boolean => names.has(word) || !isOrdinary(word);
  const single = words.flatMap((word, i) =>
    word.rows > 0 && word.rows <= TOLD_ROWS && !isChatty(word.word)
      ? [{ bits: 1 << i, isTelling: isTelling(word) }]
      : [],
  );
  const joined = compounds.map((pieces) => {
    const held = (word: WeighedWord): boolean => word.weight > 0 && pieces.includes(word.word);
    return { bits: bitsWhere(words, held), isTelling: words.some((word) => held(word) && isTelling(word)) };
  });
  return [...single, ...joined.filter(({ bits }) => bits !== 0)];
}

/** The hits that each hold a subject alone. */
function holdersOf(hits: readonly Hit[], subjects: readonly Subject[]): Hit[] {
  const found = new Set<Hit>();
  for (const { bits } of subjects) {
    const holders = hits.filter(({ own_words }) => (own_words & bits) === bits);
    if (holders[0] && holders.length === 1) found.add(holders[0]);
  }
  return [...found];
}
