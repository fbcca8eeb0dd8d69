import type { State } from "../lexicon/states.ts";
import type { Token } from "./lexer.ts";
import type { ParsedClause } from "./parse.ts";

/** Verbs that in the present tense tell a state, as "is working" does. */
const LASTING = /^(?:work|fail|run|leak|pas|stai|belong|employ|hold|cost|charg|own|rent)$/;

/** "Opens", "delivers": what happens again and again, not how things stand. */
export function isHabit(
  tokens: readonly Token[],
  { verbs, passive, tense, verb }: ParsedClause,
  { from, to }: State,
): boolean {
  const token = tokens[from];
  const isVerb = from >= verbs.from && to <= verbs.to && token?.stem === verb;
  return isVerb && !passive && tense === "present" && !LASTING.test(verb) && !token.lower.endsWith("ing");
}
