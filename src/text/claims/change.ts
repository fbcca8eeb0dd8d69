import { isChangeVerb, isGeneralChange } from "../lexicon/verbs.ts";
import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

/** Words that tell of a change with any verb: "went up to", "is down to", "handed over to", "got cut back to". */
const DIRECTIONS: ReadonlySet<string> = new Set(["up", "down", "back", "over", "off"]);
const TOWARDS: ReadonlySet<string> = new Set(["to", "from", "by", "as"]);

/** Whether a clause says that something came to be other than it was. */
export function statesChange(tokens: readonly Token[], { verb, verbs, tense, to }: Frame): boolean {
  if (isChangeVerb(verb) && (tense !== "present" || !isGeneralChange(verb))) return true;
  for (let index = verbs.from; index < to - 1; index++) {
    const [word, next] = [tokens[index]?.lower ?? "", tokens[index + 1]?.lower ?? ""];
    if (DIRECTIONS.has(word) && TOWARDS.has(next)) return true;
  }
  return false;
}
