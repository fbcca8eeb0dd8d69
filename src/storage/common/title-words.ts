/** A title that is a piece of the content adds no word to the index, only to the work of writing it. */
export function addsWords(title: string, content: string): boolean {
  const piece = title.endsWith(CUT) ? title.slice(0, -CUT.length) : title;
  const from = content.indexOf(piece);
  if (from < 0) return true;
  return WORD.test(content.charAt(from - 1)) || WORD.test(content.charAt(from + piece.length));
}

/** The text under whose words a row is found. */
export const wordedText = ({ title, content }: { readonly title: string | null; readonly content: string }): string =>
  title !== null && addsWords(title, content) ? `${title}\n${content}` : content;

const WORD = /[\p{L}\p{N}\p{M}]/u;
/** The sign of a title that was cut. */
const CUT = "…";
