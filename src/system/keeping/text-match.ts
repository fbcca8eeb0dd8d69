/** A text as it is compared: without case ("ß" is "SS", "İ" is "i"), and without the ways of writing that look the same. */
const folded = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll("i\u0307", "i").toUpperCase().toLowerCase();

/** Tells whether texts hold another, whatever its case; also texts that are JSON, in which some characters are escaped. */
export function textMatch(wanted: string): (text: string) => boolean {
  const plain = folded(wanted);
  const escaped = JSON.stringify(plain).slice(1, -1);
  return (text) => {
    const held = folded(text);
    return held.includes(plain) || held.includes(escaped);
  };
}
