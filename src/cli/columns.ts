/** Columns of a terminal that a text takes: wide characters two, what is drawn over another none. */
export const widthOf = (text: string): number => Bun.stringWidth(text);

/** A text of at most `size` columns, an ellipsis where it was cut. */
export function cutTo(text: string, size: number): string {
  if (widthOf(text) <= size) return text;
  let [end, width] = [0, 0];
  for (const { segment } of new Intl.Segmenter("und").segment(text)) {
    width += widthOf(segment);
    if (width >= size) break;
    end += segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** A text with spaces behind it, to the right edge before it, up to `size` columns. */
export const padTo = (text: string, size: number, { isRight = false } = {}): string => {
  const space = " ".repeat(Math.max(0, size - widthOf(text)));
  return isRight ? `${space}${text}` : `${text}${space}`;
};
