import type { Tokens } from "marked";
import type { Said } from "./block.ts";
import { inlineText } from "./inline.ts";

/** Lines before the first row of a table: the names of its columns, and what draws their border. */
const HEAD_LINES = 2;

/** The rows of a table, each as what it says of every column. */
export function* rowsOf(table: Tokens.Table, line: number, under: readonly string[]): Generator<Said> {
  const columns = table.header.map(({ tokens }) => inlineText(tokens));
  for (const [i, row] of table.rows.entries()) {
    const cells = row.map(({ tokens }, column) => {
      const value = inlineText(tokens);
      const name = columns[column] ?? "";
      return value === "" || name === "" ? value : `${name}: ${value}`;
    });
    const text = cells.filter((cell) => cell !== "").join("; ");
    if (text !== "") yield { line: line + HEAD_LINES + i, under, text, checked: null };
  }
}
