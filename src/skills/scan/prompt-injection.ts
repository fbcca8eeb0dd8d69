import { INJECTION_PHRASES } from "./injection-phrases.ts";
import { MARKUP } from "./markup.ts";
import { PERSUASION } from "./persuasion.ts";
import type { Sign } from "./sign.ts";
import { ruleSigns } from "./sign.ts";
import type { View, Views } from "./views.ts";
import { compacted, unmasked, unmaskedWords } from "./views.ts";
import { TELLING } from "./vocabulary.ts";

/** Orders with their letters written together: what is left when everything between the letters is taken out. */
const JOINED =
  /(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your|my|these|those|of)*(?:previous|prior|above|earlier|preceding|system|safety|original)(?:system|and|safety)*(?:instruction|directive|prompt|rule|guideline|guardrail)|youarenow(?:dan|an?unrestricted|jailbroken)|revealyoursystemprompt|doanythingnow/g;
/** Whole words are read by the rules for words; only what breaks or joins them is looked for here. */
const WHOLE =
  /^(?:(?:ignore|disregard|forget|override|bypass|all|any|every|the|your|my|these|those|of|previous|prior|above|earlier|preceding|system|safety|original|and|instruction|directive|prompt|rule|guideline|guardrail|you|are|now|dan|an?|unrestricted|jailbroken|reveal|do|anything)(?:[^a-z]+|$))+$/i;

/** The words of an attack on whoever reads a text, however they are spelled. */
export function injectionSigns({ raw, letters, words }: Views): Sign[] {
  const searched = { code: "PROMPT_INJECTION", raw, quotable: "text" } as const;
  const spelled = [words, ...masked(letters)];
  const joined = ruleSigns({ ...searched, view: compacted(letters) }, [["hides an order in broken words", JOINED]]);
  return [
    ...spelled.flatMap((view) => [
      ...ruleSigns({ ...searched, view }, INJECTION_PHRASES),
      ...ruleSigns({ ...searched, view }, PERSUASION),
    ]),
    ...ruleSigns({ ...searched, view: letters }, MARKUP),
    ...joined.filter(({ start, end }) => !WHOLE.test(raw.slice(start, end))),
  ];
}

/** Readings of a text that writes letters as digits; only where one of its words then is vocabulary of attacks. */
const masked = (letters: View): View[] =>
  (["i", "l"] as const)
    .filter((one) => unmaskedWords(letters, one).some((word) => TELLING.test(word)))
    .map((one) => unmasked(letters, one));
