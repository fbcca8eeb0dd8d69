import type { Modality } from "./claim.ts";
import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

const SUPPOSED_WORD =
  /^(?:maybe|perhaps|possibly|probably|presumably|supposedly|allegedly|hypothetically|apparently|might|could|would|wish|hope|hopes|hoping|imagine|suppose|assuming|unless|whether|if|seems|seem|likely|potentially|someday|ideally|unclear|unsure|uncertain|doubt|doubts|wonder|wonders|wondering|guess|guesses|guessed|dream|dreams|dreaming|unlikely|lest|otherwise|tempted)$/;
const SUPPOSED_PHRASE =
  /\b(?:in case (?!(?:anyone|anybody|somebody|someone|you) (?:asks?|wonders?|cares?))|what if|as if|as long as|thinking (?:about|of)|toying with|one day|would be|not sure|under discussion|up for discussion|open question|could be|may be able|play(?:ing)? with the idea|on the table|has been (?:floated|proposed|suggested)|is being (?:considered|discussed|debated|weighed))\b/;
const REPORTED_WORD =
  /^(?:rumou?rs?|rumou?red|reportedly|claims?|claimed|alleges?|alleged|asked|asks|wondered|says|said|heard|thinks?|thought|believes?|believed|believe|feels|felt|finds|argues|argued|suspects?|suspected|considers?|considering|considered|proposes?|proposed|suggests?|suggested|speculates?|speculated|expects?|expected|fears?|feared|worries|opinion|dreamed|dreamt|bets?|swears|swore|teased|pretend(?:s|ed)|hinted|implied|jokes?|joked|predicts?|predicted|complains?|complained|gossip|assumes?|assumed|recommends?|recommended|insists?|insisted|debated?|mused|imagines|dreams?)$/;
const PLANNED_WORD =
  /^(?:will|shall|planned|intends?|intended|scheduled|gonna|upcoming|tomorrow|proposes|next|booked|supposed|due|should|eventually|soon|ought)$/;
/** Words that speak of what is to come only before "to": "plans to", "wants to", "is going to". */
const PLANNED_TO =
  /^(?:plans?|planning|aims?|wants?|going|expects?|hopes?|hoping|like|love|means?|looking|about|keen|eager|ready|prepar(?:es|ing)|promised)$/;

/** How surely a clause says what it says. */
export function modalityOf(
  tokens: readonly Token[],
  frame: Frame,
  before: (Frame & { readonly modality: Modality }) | undefined,
): Modality {
  if (frame.clause.asks) return "asked";
  if (isCondition(frame.clause)) return "supposed";
  // What is supposed at the beginning of a sentence is supposed to its end.
  if (before?.clause.sentence === frame.clause.sentence) {
    if (before.modality === "supposed") return "supposed";
    if (before.modality === "reported" && frame.clause.hung_by === "that") return "reported";
  }
  if (/^(?:before|until|till)$/.test(frame.clause.hung_by ?? "")) return "supposed";
  const words = tokens.slice(frame.clause.from, frame.to);
  if (isReported(tokens, frame)) return "reported";
  if (words.some(({ lower }, i) => SUPPOSED_WORD.test(lower) && !isWish(lower, words[i + 1]?.lower))) return "supposed";
  if (SUPPOSED_PHRASE.test(words.map(({ lower }) => lower).join(" "))) return "supposed";
  return isPlanned(words, frame) ? "planned" : "asserted";
}

/** "Would like", "would rather": a preference that holds. */
const isWish = (word: string, next: string | undefined): boolean =>
  word === "would" && /^(?:like|love|prefer|rather)$/.test(next ?? "");

const isCondition = ({ hung_by }: Frame["clause"]): boolean => hung_by === "if" || hung_by === "unless";

/** How far behind a verb of saying its "that" may stand. */
const THAT_WITHIN = 6;

const isRequest = (word: string): boolean =>
  /^(?:asks?|asked|insists?|insisted|recommend(?:s|ed)?|suggest(?:s|ed)?)$/.test(word);

/** Somebody's words or view: a verb of saying or thinking with a clause of its own behind it. */
function isReported(tokens: readonly Token[], { clause, verbs, to }: Frame): boolean {
  for (let at = clause.from; at < to; at++) {
    const token = tokens[at];
    if (token === undefined || !(REPORTED_WORD.test(token.lower) || /^(?:told|tells?)$/.test(token.lower))) continue;
    const that = tokens.slice(at + 1, at + THAT_WITHIN).findIndex(({ lower }) => lower === "that");
    if (that >= 0 && !isRequest(token.lower)) return true;
    if (/^(?:told|tells?)$/.test(token.lower)) continue;
    if (/^(?:rumou?rs?|rumou?red|reportedly|alleged|opinion|gossip|unconfirmed|allegedly)$/.test(token.lower))
      return true;
    const isVerb = at >= verbs.from && at < verbs.to;
    const next = tokens[at + 1]?.lower ?? "";
    if (isVerb && !isDirective(token.lower, next) && tokens[at + 1] !== undefined) return true;
  }
  return false;
}

/** "Asked for", "asked that", "said to stop", "insists on": what somebody wants, not what somebody thinks is so. */
const isDirective = (word: string, next: string): boolean => {
  if (/^(?:,|for|by|from|to|not)$/.test(next)) return true;
  return (
    /^(?:asks?|asked|insists?|insisted)$/.test(word) &&
    !/^(?:whether|if|about|why|how|when|what|who|where|around)$/.test(next)
  );
};

const isPlanned = (words: readonly Token[], { tense }: Frame): boolean =>
  tense === "future" ||
  words.some(
    ({ lower }, i) =>
      PLANNED_WORD.test(lower) ||
      (PLANNED_TO.test(lower) &&
        words[i + 1]?.lower === "to" &&
        (!/^(?:like|love)$/.test(lower) || words[i - 1]?.lower === "would")),
  );
