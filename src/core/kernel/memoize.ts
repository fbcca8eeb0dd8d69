/** Words of a language are few: what was worked out of one is kept, up to this many. */
const KEPT_MAX = 20_000;

/** A pure function of a word that remembers what it answered. */
export function memoized(work: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= KEPT_MAX) known.clear();
    const answer = work(word);
    known.set(word, answer);
    return answer;
  };
}
