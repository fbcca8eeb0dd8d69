/** The comma and the comments of a stretch between two elements. */
export interface Between {
  /** Where its comma is; null when it has none. */
  readonly comma: number | null;
  /** Where the last comma or comment ends; null when there is neither. */
  readonly end: number | null;
}

/** What may stand between elements: a comma, comments, line breaks, other space. */
const TOKEN = /(,)|(\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(\r\n|[\r\n])|[^\S\r\n]+/y;

/**
 * What lies between two offsets, besides space. With `sameLine`, comments count only up to the end of the line on which
 * the stretch, or its comma, begins: only those are about the element before them.
 */
export function tokensBetween(text: string, from: number, to: number, { sameLine = false } = {}): Between {
  let [comma, end]: [number | null, number | null] = [null, null];
  let isNextLine = false;
  TOKEN.lastIndex = from;
  for (let found = TOKEN.exec(text); found && found.index < to; found = TOKEN.exec(text)) {
    const [, isComma, isComment, isBreak] = found;
    if (isBreak) isNextLine ||= sameLine;
    if (isComma) {
      comma ??= found.index;
      isNextLine = false;
    }
    if (isComma || (isComment && !isNextLine)) end = TOKEN.lastIndex;
  }
  return { comma, end };
}
