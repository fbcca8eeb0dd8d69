import { canonical, keySet } from "../lexicon/synonyms.ts";
import { UNIQUE_NOUNS } from "../lexicon/uniqueness.ts";
import { ATTRIBUTE_NOUNS, DETERMINERS } from "../lexicon/words.ts";
import type { Span } from "./claim.ts";
import type { ContentWord } from "./content-words.ts";
import type { Token, TokenRange } from "./lexer.ts";
import type { ParsedClause } from "./parse.ts";

/** What a clause is about: the thing, and which of its attributes where the subject names one. */
export interface Topic extends Span {
  readonly text: string;
  readonly key: string;
  /** Key of the noun that names the attribute: `manag` of "Mei's manager". */
  readonly attribute: string | null;
  /** Stem of that noun, as a name of a predicate. */
  readonly attribute_name: string | null;
}

/** Things that one has one of, but that have attributes of their own. */
const THINGS = keySet(
  "database backend stack engine platform tool library bank branch host server dish meal drink breakfast",
);
const NOUNS: ReadonlySet<string> = new Set([
  ...[...ATTRIBUTE_NOUNS].map(canonical),
  ...[...UNIQUE_NOUNS].filter((key) => !THINGS.has(key)),
  ...keySet(
    "birthday salary address deadline budget wage hobby allergy dose diet shift job car pet rent mileage subject",
  ),
]);

/** Reads the topic of a clause; null where it has none. */
export function topicOf(tokens: readonly Token[], part: ParsedClause): Topic | null {
  const range = topicRange(tokens, part);
  const words = part.words.filter(({ index }) => index >= range.from && index < range.to);
  const attribute = part.predicate === "be" || part.changes ? attributeOf(words) : undefined;
  const things = words.filter(({ index }) => index !== attribute?.index);
  const named = things.length > 0 ? things : words;
  const [first, last] = [named[0], named.at(-1)];
  const key = keyOf(tokens, named, part, range);
  if (key === "") return null;
  const start = tokens[first?.index ?? range.from]?.start ?? 0;
  const end = tokens[last?.index ?? range.to - 1]?.end ?? start;
  const isAttribute = attribute !== undefined && things.length > 0;
  return {
    start,
    end,
    text: tokens
      .slice(first?.index ?? range.from, (last?.index ?? range.to - 1) + 1)
      .map(({ text }) => text)
      .join(" "),
    key,
    attribute: isAttribute ? attribute.key : null,
    attribute_name: isAttribute ? (tokens[attribute.index]?.lower ?? attribute.key).replace(/s$/, "") : null,
  };
}

/** The subject; what is changed, where somebody changes it; what something is in, where the clause only says that it is there. */
function topicRange(
  tokens: readonly Token[],
  { subject, complement, changes, passive, words }: ParsedClause,
): TokenRange {
  const first = tokens[subject.from]?.lower ?? "";
  if (first === "there" || first === "here") return placeRange(tokens, complement);
  const object = words.find(({ zone }) => zone === "complement");
  const isChanged = changes && !passive && object?.preposition === "" && object.index - complement.from <= 2;
  return isChanged ? { from: complement.from, to: endOfPhrase(tokens, complement) } : subject;
}

const endOfPhrase = (tokens: readonly Token[], { from, to }: TokenRange): number => {
  const index = tokens.findIndex(
    ({ lower }, i) => i >= from && i < to && /^(?:to|from|into|by|at|with|because|since)$/.test(lower),
  );
  return index < 0 ? to : index;
};

function placeRange(tokens: readonly Token[], { from, to }: TokenRange): TokenRange {
  const index = tokens.findIndex(({ lower }, i) => i > from && i < to && /^(?:in|on|at|inside)$/.test(lower));
  return index < 0 ? { from, to } : { from: index + 1, to };
}

/** The head of a phrase, where it names an attribute. */
function attributeOf(words: readonly ContentWord[]): ContentWord | undefined {
  const head = words.findLast(({ preposition }) => !/^(?:of|for|in|on|at)$/.test(preposition)) ?? words.at(-1);
  return head !== undefined && NOUNS.has(head.key) ? head : undefined;
}

/** First persons are one subject; the name of a numbered thing has its number. */
function keyOf(tokens: readonly Token[], words: readonly ContentWord[], part: ParsedClause, range: TokenRange): string {
  const inside = part.values.filter(({ from }) => from >= range.from && from < range.to);
  const labels = inside.flatMap(({ kind, key, from }) => {
    if (kind === "version") return [key.replace(/^.* /, "")];
    // "The region 12 database": the number is that of the noun before it.
    return kind === "number" && words.some(({ index }) => index === from - 1) ? [tokens[from]?.lower ?? ""] : [];
  });
  const keys = [...words.map(({ key }) => key), ...labels];
  if (keys.length > 0) return keys.join(" ");
  const first = tokens[range.from]?.lower ?? "";
  if (/^(?:i|me|my|we|our|us)$/.test(first)) return "i";
  if (range.to <= range.from) return part.verb === "" ? "" : "i";
  return DETERMINERS.has(first) ? "" : first;
}
