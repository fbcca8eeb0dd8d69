type Cell = string | number;

/** A Markdown table. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(escaped).join(" | ")} |`).join("\n");

const escaped = (cell: Cell): string => String(cell).replaceAll("|", "\\|").replace(/\s+/g, " ");

/** The text of a paper with the part of that name, between its marks, replaced; throws when the paper has no such part. */
export function withPart(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`There is no part ${name}: put ${begin} and ${end} where it belongs.`);
  return `${before}${begin}\n${content}\n${end}${after}`;
}
