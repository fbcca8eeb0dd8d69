import type { Modality } from "./claim.ts";
import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

const SUPPOSED_WORD =
  /^(?:maybe|perhaps|possibly|probably|presumably|supposedly|allegedly|hypothetically|apparently|might|could|would|wish|hope|hopes|hoping|imagine|suppose|assuming|unless|whether|if|seems|seem|likely|potentially|someday|ideally|unclear|unsure|uncertain|doubt|doubts|wonder|wonders|wondering|guess|guesses|guessed|dream|dreams|dreaming|unlikely|lest|otherwise|tempted)$/;
const SUPPOSED_PHRASE =
  /\b(?:in case (?!(?:anyone|anybody|somebody|someone|you) (?:asks?|wonders?|cares?))|what if|as if|as long as|thinking (?:about|of)|toying with|one day|would be|not sure|under discussion|up for discussion|open question|could be|may be able|play(?:ing)? with the idea|on the table|has been (?:floated|proposed|suggested)|is being (?:considered|discussed|debated|weighed))\b/;
const PLANNED_WORD =
  /^(?:will|shall|planned|intends?|intended|scheduled|gonna|upcoming|tomorrow|proposes|next|booked|supposed|due|should|eventually|soon|ought)$/;
/** Words that speak of what is to come only before "to": "plans to", "wants to", "is going to". */
const PLANNED_TO =
  /^(?:plans?|planning|aims?|wants?|going|expects?|hopes?|hoping|like|love|means?|looking|about|keen|eager|ready|prepar(?:es|ing)|promised)$/;

/** How surely a clause says what it says; `before` is the clause before it. */
export function modalityOf(
  tokens: readonly Token[],
  frame: Frame,
  before: (Frame & { readonly modality: Modality }) | undefined,
): Modality {
  if (frame.clause.asks) return "asked";
  const inherited = inheritedBy(frame, before);
  if (inherited !== null) return inherited;
  if (isReported(tokens, frame)) return "reported";
  const words = tokens.slice(frame.clause.from, frame.to).map(({ lower }) => lower);
  if (isSupposed(words)) return "supposed";
  return frame.tense === "future" || words.some((_, i) => isAhead(words, i)) ? "planned" : "asserted";
}

/** What a clause is by what it hangs on. */
function inheritedBy(
  { clause }: Frame,
  before: (Frame & { readonly modality: Modality }) | undefined,
): Modality | null {
  if (UNSURE_HANGERS.has(clause.hung_by ?? "")) return "supposed";
  if (before === undefined || before.clause.sentence !== clause.sentence) return null;
  // What is supposed at the beginning of a sentence is supposed to its end.
  if (before.modality === "supposed") return "supposed";
  return before.modality === "reported" && clause.hung_by === "that" ? "reported" : null;
}

const UNSURE_HANGERS: ReadonlySet<string> = new Set(["if", "unless", "before", "until", "till"]);

const isSupposed = (words: readonly string[]): boolean =>
  words.some((word, i) => SUPPOSED_WORD.test(word) && !isWish(word, words[i + 1])) ||
  SUPPOSED_PHRASE.test(words.join(" "));

/** "Would like", "would rather": a preference that holds. */
const isWish = (word: string, next: string | undefined): boolean =>
  word === "would" && /^(?:like|love|prefer|rather)$/.test(next ?? "");

function isAhead(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (PLANNED_WORD.test(word)) return true;
  if (!PLANNED_TO.test(word) || words[index + 1] !== "to") return false;
  return !/^(?:like|love)$/.test(word) || words[index - 1] === "would";
}

/** Verbs of saying, thinking and guessing, whose clause is somebody's view. */
const SAYING =
  /^(?:claims?|claimed|alleges?|asked|asks|wondered|says?|said|heard|thinks?|thought|believes?|believed|feels|felt|finds|argues|argued|suspects?|suspected|considers?|considering|considered|proposes?|proposed|suggests?|suggested|speculates?|speculated|expects?|expected|fears?|feared|worries|dreamed|dreamt|bets?|swears|swore|teased|pretend(?:s|ed)|hinted|implied|jokes?|joked|predicts?|predicted|complains?|complained|assumes?|assumed|recommends?|recommended|insists?|insisted|debated?|mused|imagines|dreams?)$/;
const TELLING = /^(?:told|tells?)$/;
/** Words that make a rumour of all that a clause says. */
const RUMOUR = /^(?:rumou?rs?|rumou?red|reportedly|alleged|allegedly|opinion|gossip|unconfirmed)$/;
const REQUEST = /^(?:asks?|asked|insists?|insisted|recommend(?:s|ed)?|suggest(?:s|ed)?)$/;
const WANT = /^(?:asks?|asked|insists?|insisted)$/;
const QUESTION = /^(?:whether|if|about|why|how|when|what|who|where|around)$/;
const BEFORE_THING = /^(?:,|for|by|from|to|not)$/;
/** How far behind a verb of saying its "that" may stand. */
const THAT_WITHIN = 6;

/** Whether a clause gives somebody's words or view rather than what is so. */
export function isReported(tokens: readonly Token[], { clause, verbs, to }: Frame): boolean {
  for (let index = clause.from; index < to; index++) {
    const word = tokens[index]?.lower ?? "";
    if (RUMOUR.test(word)) return true;
    if (!SAYING.test(word) && !TELLING.test(word)) continue;
    if (hasThat(tokens, index) && !REQUEST.test(word)) return true;
    const isVerb = index >= verbs.from && index < verbs.to && SAYING.test(word);
    const next = tokens[index + 1]?.lower;
    if (isVerb && next !== undefined && !isWanted(word, next)) return true;
  }
  return false;
}

const hasThat = (tokens: readonly Token[], index: number): boolean =>
  tokens.slice(index + 1, index + THAT_WITHIN).some(({ lower }) => lower === "that");

/** "Asked for", "asked that", "said to stop", "insists on": what somebody wants, not what somebody thinks is so. */
const isWanted = (word: string, next: string): boolean =>
  BEFORE_THING.test(next) || (WANT.test(word) && !QUESTION.test(next));
