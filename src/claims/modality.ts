import type { Modality } from "./claim.ts";
import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

const SUPPOSED_WORD =
  /^(?:maybe|perhaps|possibly|probably|presumably|supposedly|allegedly|hypothetically|apparently|might|could|would|wish|hope|hopes|hoping|imagine|suppose|assuming|unless|whether|if|seems|seem|likely|potentially|someday|ideally|unclear|unsure|uncertain|doubt|doubts|wonder|wonders|wondering|guess|guesses|guessed|dream|dreams|dreaming|unlikely|lest|otherwise|tempted)$/;
const SUPPOSED_PHRASE =
  /\b(?:in case|what if|as if|as long as|thinking (?:about|of)|toying with|one day|would be|not sure|under discussion|up for discussion|open question|could be|may be able|play(?:ing)? with the idea|on the table|has been (?:floated|proposed|suggested)|is being (?:considered|discussed|debated|weighed))\b/;
const REPORTED_WORD =
  /^(?:rumou?rs?|rumou?red|reportedly|claims?|claimed|alleges?|alleged|asked|asks|wondered|says|said|heard|thinks?|thought|believes?|believed|believe|feels|felt|finds|found|argues|argued|suspects?|suspected|considers?|considering|considered|proposes?|proposed|suggests?|suggested|speculates?|speculated|expects?|expected|fears?|feared|worries|opinion|jokes?|joked|predicts?|predicted|complains?|complained|gossip|assumes?|assumed|recommends?|recommended|insists?|insisted|debated?|mused|imagines|dreams?)$/;
const PLANNED_WORD =
  /^(?:will|shall|plans?|planned|planning|intends?|intend|intended|aims?|wants|schedule[ds]?|going|gonna|upcoming|tomorrow|expects|hopes|hope|proposes|next|booked|supposed|due|should|eventually|soon|ought)$/;

/** How surely a clause says what it says. */
export function modalityOf(tokens: readonly Token[], frame: Frame): Modality {
  if (frame.clause.asks) return "asked";
  if (/^(?:if|unless)$/.test(frame.clause.hung_by ?? "")) return "supposed";
  const words = tokens.slice(frame.clause.from, frame.to);
  if (isReported(tokens, frame)) return "reported";
  if (words.some(({ lower }) => SUPPOSED_WORD.test(lower))) return "supposed";
  if (SUPPOSED_PHRASE.test(words.map(({ lower }) => lower).join(" "))) return "supposed";
  return isPlanned(words, frame) ? "planned" : "asserted";
}

/** Somebody's words or view: a verb of saying or thinking with a clause of its own behind it. */
function isReported(tokens: readonly Token[], { clause, verbs, to }: Frame): boolean {
  for (let at = clause.from; at < to; at++) {
    const token = tokens[at];
    if (token === undefined || !REPORTED_WORD.test(token.lower)) continue;
    if (/^(?:rumou?rs?|rumou?red|reportedly|alleged|opinion|gossip)$/.test(token.lower)) return true;
    const isVerb = at >= verbs.from && at < verbs.to;
    const next = tokens[at + 1]?.lower ?? "";
    if (isVerb && !/^(?:,|for|by|from)$/.test(next) && tokens[at + 1] !== undefined) return true;
  }
  return false;
}

const isPlanned = (words: readonly Token[], { tense }: Frame): boolean =>
  tense === "future" ||
  words.some(({ lower }, i) => PLANNED_WORD.test(lower) && (lower !== "going" || words[i + 1]?.lower === "to"));
