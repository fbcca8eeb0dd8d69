/** What was worked out of so many texts is kept at most, and of texts of so many characters together. */
const [TEXTS_MAX, CHARACTERS_MAX] = [20_000, 2_000_000];

/** A pure function of a text that remembers what it answered; when it remembers too much, it begins anew. */
export function memoized<T extends string | boolean>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let characters = 0;
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= TEXTS_MAX || characters + text.length > CHARACTERS_MAX) {
      known.clear();
      characters = 0;
    }
    const answer = work(text);
    known.set(text, answer);
    characters += text.length;
    return answer;
  };
}
