/** A paragraph of a Markdown text: lines that follow each other, a block of code, a list. */
export interface Paragraph {
  /** The heading that it stands below. */
  readonly heading: string | null;
  readonly text: string;
  /** Its first line, from 1. */
  readonly line: number;
}

const HEADING = /^#{1,6}\s+(.*?)\s*#*\s*$/;
/** A line that is all bold is a heading, too: models write them so. */
const BOLD = /^\*\*([^*]+)\*\*:?\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** The paragraphs of a Markdown text without its headings. `skips` says which lines are read elsewhere. */
export function paragraphsOf(text: string, skips: (line: string) => boolean = () => false): Paragraph[] {
  const found: Paragraph[] = [];
  let heading: string | null = null;
  let part: string[] = [];
  let start = 1;
  let isCode = false;
  const end = (): void => {
    const joined = part.join("\n").trim();
    if (joined !== "") found.push({ heading, text: joined, line: start });
    part = [];
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    const title = isCode ? undefined : (HEADING.exec(line) ?? BOLD.exec(line))?.[1];
    const isBorder = !isCode && (title !== undefined || line.trim() === "" || skips(line));
    if (isBorder) end();
    else if (part.push(line) === 1) start = index + 1;
    if (title !== undefined) heading = title;
  }
  end();
  return found;
}

/** The lines of a Markdown text that are not in a block of code, numbered from 1. */
export function plainLines(text: string): { readonly text: string; readonly line: number }[] {
  let isCode = false;
  return text.split(/\r?\n/).flatMap((one, index) => {
    const isFence = FENCE.test(one);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : [{ text: one, line: index + 1 }];
  });
}
