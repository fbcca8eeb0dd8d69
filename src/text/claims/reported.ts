import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

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
