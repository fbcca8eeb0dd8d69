/** English words that carry no subject of their own: questions are full of them, and so is every row. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can could couldn d did didn do does doesn doing don done down during each else ever few for from further
  had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
  just let ll m many may me might more most much must my myself no nor not now of off on once only or other our ours
  ourselves out over own re s same shall she should shouldn so some such t than that the their theirs them themselves
  then there these they this those through to too under until up upon us ve very was wasn we were weren what when where
  whether which while who whom whose why will with won would wouldn yes you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

/** The form in which words are stored and looked up: one for each way to write the same letters, in lower case. */
export const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The distinct words of a folded text. Marks belong to the letter before them. */
export const termsOf = (folded: string): string[] => [...new Set(folded.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [])];

/** Words looked up of one query: the bits of one number. */
const TERMS_MAX = 30;

/** The words of a query that may tell rows apart: no stop words, unless it has no others. */
export function tellingTerms(query: string): string[] {
  const all = termsOf(fold(query));
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : all).slice(0, TERMS_MAX);
}

/** A query of so few telling words is no sentence: its first word has a capital because somebody gave it one. */
const PHRASE_TERMS_MAX = 3;

/** The folded words of a query that are written as names or codes: with a digit, or a capital where no sentence starts. */
export function namedTerms(query: string): Set<string> {
  const isPhrase = tellingTerms(query).length <= PHRASE_TERMS_MAX;
  const written = query.normalize("NFKC").match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [];
  const named = written.filter((word, i) => /\p{N}/u.test(word) || (/\p{Lu}/u.test(word) && (i > 0 || isPhrase)));
  return new Set(named.map(fold));
}
