import { styleText } from "node:util";
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
  /** Text for standard output; memories' texts go through `plainText` first. */
  line(text: string): void;
  /** The whole reply, for `--json`. */
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
    isTerminal && hasColour ? styleText(kind, text, { validateStream: false }) : text;
  return {
    isJson,
    isTerminal,
    width,
    style,
    line: print,
    json: (value) => print(JSON.stringify(value, null, isTerminal ? 2 : undefined)),
    note: (text) => {
      if (!isJson) printError(`${text}\n`);
    },
    date: (iso) => (iso == null ? "" : isTerminal ? sayDate(iso, now()) : iso),
    table: (rows, columns) => {
      if (rows.length === 0) return;
      if (!isTerminal) {
        print(
          rows.map((row) => columns.map(({ value }) => value(row).replace(/[\t\n\r]+/g, " ")).join("\t")).join("\n"),
        );
        return;
      }
      const [titles = "", ...lines] = tableLines(rows, columns, width);
      print([style("dim", titles), ...lines].join("\n"));
    },
  };
}

/**
 * A text on one line, or several with `keepsLines`, without anything that a terminal would obey: control characters and
 * marks that turn the direction of writing.
 */
export function plainText(text: string, { keepsLines = false }: { keepsLines?: boolean } = {}): string {
  const lines = keepsLines ? text : text.replace(/\s+/g, " ").trim();
  return lines.replace(OBEYED, "\ufffd");
}

/** Control characters but tab and line feed, and the marks that turn the direction of writing. */
const OBEYED = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text as `\u{1b}` where a terminal would obey it, or would show nothing: to be looked at before it is agreed to. */
export const shownText = (text: string): string =>
  text.replace(UNSHOWN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Besides those: whatever takes no room, so that a reader passes over it. */
const UNSHOWN =
  /(?![\t\n])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800]|\u034f)/gu;
