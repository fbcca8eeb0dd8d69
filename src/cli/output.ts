import { styleText } from "node:util";
import { escapedJson, shown, shownOnOneLine } from "../core/kernel/quoting/unseen.ts";
import { sayDate } from "./dates.ts";
import { print, printError } from "./print.ts";
import type { Column } from "./table.ts";
import { tableLines } from "./table.ts";

type Style = Parameters<typeof styleText>[0];

/** Where a command prints: a person's terminal, a pipe, or JSON for a program. */
export interface Output {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Text for standard output, of which a reader sees everything; of what is stored, one line goes through `plainText` first. */
  line(text: string): void;
  /** The whole reply, for `--json`; what nobody sees in it is written as escapes. */
  json(value: unknown): void;
  /** A table on a terminal; tab-separated rows without titles in a pipe. */
  table<T>(rows: readonly T[], columns: readonly Column<T>[]): void;
  /** A remark for a person, on standard error; nothing with `--json`. */
  note(text: string): void;
  /** A moment as people say it on a terminal, as it is in a pipe. */
  date(iso: string | null | undefined): string;
  /** Colour or weight, on a terminal that wants colour. */
  style(style: Style, text: string): string;
}

export interface OutputOptions {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
  readonly width: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Output for a terminal or a pipe: tables, dates and colours on the one, plain lines on the other. */
export function createOutput({ isJson, isTerminal, hasColour, width, now }: OutputOptions): Output {
  const style = (kind: Style, text: string): string =>
    isTerminal && hasColour ? marked(styleText(kind, shown(text), { validateStream: false })) : text;
  return {
    isJson,
    isTerminal,
    width,
    style,
    line: (text) => print(exceptStyles(text)),
    json: (value) => print(escapedJson(JSON.stringify(value, null, isTerminal ? 2 : undefined))),
    note: (text) => {
      if (!isJson) printError(`${shown(text)}\n`);
    },
    date: (iso) => (iso == null ? "" : isTerminal ? sayDate(iso, now()) : iso),
    table: (rows, columns) => {
      if (rows.length === 0) return;
      if (!isTerminal) {
        print(rows.map((row) => columns.map(({ value }) => shownOnOneLine(value(row))).join("\t")).join("\n"));
        return;
      }
      const cells = columns.map((column) => ({
        ...column,
        value: (row: (typeof rows)[number]) => shownOnOneLine(column.value(row)),
      }));
      const [titles = "", ...lines] = tableLines(rows, cells, width);
      print([unmarked(style("dim", titles)), ...lines].join("\n"));
    },
  };
}

/** A text on one line, or several with `keepsLines`, of which a reader sees everything, and a terminal obeys nothing. */
export const plainText = (text: string, { keepsLines = false }: { keepsLines?: boolean } = {}): string =>
  keepsLines ? shown(text) : shownOnOneLine(text);

/** Stands in each code that `style` writes, and in no text: nobody can guess it. */
const OWN = crypto.randomUUID();
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told so.
const CODE = /\x1b(?=\[\d+m)/g;
const marked = (styled: string): string => styled.replace(CODE, `\x1b${OWN}`);
const unmarked = (styled: string): string => styled.replaceAll(`\x1b${OWN}`, "\x1b");

const STYLE = new RegExp(`(\\x1b${OWN}\\[\\d+m)`);

/** A text of which a reader sees everything but the codes of `style`. */
const exceptStyles = (text: string): string =>
  text
    .split(STYLE)
    .map((part, i) => (i % 2 === 1 ? unmarked(part) : shown(part)))
    .join("");
