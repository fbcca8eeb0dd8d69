/** A setting of a git configuration. Names of sections and keys are in small letters, as git takes them. */
export interface GitSetting {
  readonly section: string;
  /** `origin` of `[remote "origin"]`; empty where a section has no such name. */
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

/** Reads a git configuration from its beginning to its end, once; lines that git would refuse are passed over. */
export function* gitSettings(text: string): Generator<GitSetting> {
  let place = { section: "", name: "" };
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  for (let number = 0; number < lines.length; number++) {
    const line = lines[number] ?? "";
    let at = afterSpace(line, 0);
    for (let header = headerAt(line, at); header; header = headerAt(line, at)) {
      place = header;
      at = afterSpace(line, header.end);
    }
    const equals = line.indexOf("=", at);
    const key = line.slice(at, equals === -1 ? undefined : equals).trim();
    if (!KEY.test(key) || equals === -1) continue;
    const { value, last } = valueFrom(lines, number, equals + 1);
    number = last;
    yield { ...place, key: key.toLowerCase(), value };
  }
}

const KEY = /^[A-Za-z][A-Za-z0-9-]*$/;
const isSpace = (character: string | undefined): boolean => character === " " || character === "\t";

function afterSpace(line: string, from: number): number {
  let at = from;
  while (isSpace(line[at])) at++;
  return at;
}

/** `[remote "origin"]` that begins there, and where it ends. */
function headerAt(line: string, start: number): { section: string; name: string; end: number } | null {
  if (line[start] !== "[") return null;
  let at = start + 1;
  while (at < line.length && line[at] !== "]" && line[at] !== '"') at++;
  const section = line
    .slice(start + 1, at)
    .trim()
    .toLowerCase();
  if (line[at] !== '"') return line[at] === "]" ? { section, name: "", end: at + 1 } : null;
  let name = "";
  for (at++; at < line.length && line[at] !== '"'; at++) {
    if (line[at] === "\\") at++;
    name += line[at] ?? "";
  }
  return line[at + 1] === "]" ? { section, name, end: at + 2 } : null;
}

/** A value as git reads it: without comments and quotes, going on in the next line behind a backslash. */
function valueFrom(lines: readonly string[], first: number, column: number): { value: string; last: number } {
  const read: Reading = { text: "", kept: 0, isQuoted: false };
  let last = first;
  let goesOn = readLine(read, (lines[first] ?? "").slice(column).trimStart());
  while (goesOn && last + 1 < lines.length) goesOn = readLine(read, lines[++last] ?? "");
  return { value: read.text.slice(0, read.kept), last };
}

interface Reading {
  text: string;
  /** Length of the text without the space at its end that no quotes keep. */
  kept: number;
  isQuoted: boolean;
}

const PIECE = /\\.?|["#;]|[ \t]+|[^\\"#; \t]+/g;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

const unescaped = (piece: string): string => ESCAPED[piece.slice(1)] ?? piece.slice(1);

/** Takes in a line of a value; whether the value goes on in the next one. */
function readLine(read: Reading, line: string): boolean {
  for (const [piece] of line.matchAll(PIECE)) {
    if (piece === "\\") return true;
    if (!read.isQuoted && (piece === "#" || piece === ";")) return false;
    if (piece === '"') read.isQuoted = !read.isQuoted;
    else read.text += piece[0] === "\\" ? unescaped(piece) : piece;
    if (read.isQuoted || piece.trim() !== "") read.kept = read.text.length;
  }
  return false;
}
