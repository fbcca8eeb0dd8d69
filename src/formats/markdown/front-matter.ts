import { LineCounter, parseDocument, stringify } from "yaml";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";

/** A file's front matter and what follows it; or why its front matter cannot be read. */
export type Parted =
  | { readonly fields: JsonObject; readonly body: string; readonly bodyLine: number }
  | { readonly fault: string; readonly line: number };

const OPENS = /^---[ \t]*\r?\n/;
const CLOSES = /^(?:---|\.\.\.)[ \t]*\r?$/m;
/** A line that looks like a key and its value. */
const KEY = /^["']?[\p{L}_][\p{L}\p{N} _.-]*["']?:(?:\s|$)/mu;
const TOML = /^\+\+\+[ \t]*\r?\n/;

/** Parts a Markdown file into the YAML between lines of `---` at its start, and its body. */
export function partFrontMatter(text: string): Parted {
  if (TOML.test(text))
    return { fault: "Its front matter is TOML (+++): write it as YAML between lines of ---.", line: 1 };
  const [opening] = OPENS.exec(text) ?? [];
  const whole: Parted = { fields: {}, body: text, bodyLine: 1 };
  if (opening === undefined) return whole;
  const rest = text.slice(opening.length);
  const closing = CLOSES.exec(rest);
  if (!closing)
    return KEY.test(rest.slice(0, rest.indexOf("\n") + 1))
      ? { fault: "Its front matter has no end: a line of --- is missing.", line: 1 }
      : whole;
  const yaml = rest.slice(0, closing.index);
  const read = parseFields(yaml);
  // Lines of --- may also stand around a text as ornaments.
  if ("fault" in read) return KEY.test(yaml) ? { fault: read.fault, line: read.line + 1 } : whole;
  const after = rest.slice(closing.index + closing[0].length);
  return { fields: read.fields, body: after.replace(/^\n/, ""), bodyLine: linesOf(opening + yaml) + 1 };
}

const linesOf = (text: string): number => text.split("\n").length;

type Fields = { readonly fields: JsonObject } | { readonly fault: string; readonly line: number };

/** Reads YAML whose top is a mapping, as JSON. */
export function parseFields(yaml: string): Fields {
  if (yaml.length > YAML_MAX || yaml.includes(BLANK)) return { fault: TOO_LONG, line: 1 };
  try {
    const lineCounter = new LineCounter();
    // Its own places of faults are looked for anew for each of them, and there may be as many as letters.
    const document = parseDocument(yaml, { schema: "core", logLevel: "error", prettyErrors: false, lineCounter });
    const [error] = document.errors;
    if (error) {
      const { line, col } = lineCounter.linePos(error.pos[0]);
      return { fault: faultOf(`${error.message} at line ${line}, column ${col}`), line };
    }
    // What JSON lacks becomes null: "not a number", infinity.
    const value: JsonValue = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {}));
    if (isJsonObject(value)) return { fields: value };
  } catch (error) {
    // Aliases that would grow without end, or a nesting that no stack holds.
    if (!(error instanceof Error)) throw error;
    return { fault: faultOf(error.message), line: 1 };
  }
  return { fault: "Its front matter is no list of keys and values.", line: 1 };
}

const ALIASES_MAX = 100;
/** Characters of front matter: the parser takes more time than in proportion. What is larger travels as JSON Lines. */
const YAML_MAX = 32_768;
const BLANK = "\n".repeat(200);
const TOO_LONG = `Its front matter is longer than ${YAML_MAX.toLocaleString("en")} characters, or has 200 blank lines in a row.`;

const faultOf = (message: string): string =>
  `Its front matter is no YAML: ${(message.split("\n", 1)[0] ?? "").replace(/:$/, "")}. Put values with ": " or "#" in quotes.`;

/** Fields as YAML, each text on a line of its own; what is written ends with a newline. */
export const writeFields = (fields: JsonObject): string => stringify(fields, ONE_LINE);

const ONE_LINE = {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  blockQuote: false,
  // Over several lines, yaml 2 writes a line of a blank alone so that it reads it back as a backslash.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

/** A file of front matter and a body. */
export const withFrontMatter = (fields: JsonObject, body: string): string =>
  `---\n${writeFields(fields)}---\n${body === "" ? "" : `\n${body}\n`}`;
