/** A regular expression as it is written in a source. */
export interface Literal {
  readonly source: string;
  readonly flags: string;
}

/** Words after which a slash begins an expression, and divides nothing. */
const OPERATORS = /^(?:return|typeof|case|in|of|void|delete|throw|new|yield|await|else|do)$/;
const LITERAL = /\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/y;
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\w$]+|\s+/y;

/** The literals of regular expressions in a text of JavaScript, also those within templates. */
export function literalsIn(code: string): Literal[] {
  const found: Literal[] = [];
  const place: Place = { at: 0, depth: 0, isValue: false, templates: [] };
  while (place.at < code.length) {
    const [word] = taken(QUOTED, code, place) ?? [];
    const literal = word === undefined ? literalAt(code, place) : null;
    if (literal) found.push(literal);
    if (word !== undefined) takeWord(word, place);
    else if (!literal) takeMark(code, place);
  }
  return found;
}

function literalAt(code: string, place: Place): Literal | null {
  if (place.isValue || code[place.at] !== "/") return null;
  const [, source = "", flags = ""] = taken(LITERAL, code, place) ?? [];
  if (source === "") return null;
  place.isValue = true;
  return { source, flags };
}

/** Space and comments change nothing. */
function takeWord(word: string, place: Place): void {
  if (/^["'\w$]/.test(word)) place.isValue = !OPERATORS.test(word);
}

interface Place {
  at: number;
  depth: number;
  /** Whether what was read last is a value: a slash after it divides. */
  isValue: boolean;
  /** How deep in braces each open template goes on. */
  readonly templates: number[];
}

function taken(form: RegExp, code: string, place: Place): RegExpExecArray | null {
  form.lastIndex = place.at;
  const match = form.exec(code);
  if (match) place.at = form.lastIndex;
  return match;
}

function takeMark(code: string, place: Place): void {
  const mark = code[place.at++];
  place.isValue = mark === ")" || mark === "]";
  if (mark === "{") place.depth++;
  if (mark === "`") takeTemplate(code, place);
  if (mark !== "}" || --place.depth !== place.templates.at(-1)) return;
  place.templates.pop();
  takeTemplate(code, place);
}

function takeTemplate(code: string, place: Place): void {
  while (place.at < code.length && code[place.at] !== "`" && !code.startsWith("${", place.at))
    place.at += code[place.at] === "\\" ? 2 : 1;
  place.isValue = code[place.at] === "`";
  if (!place.isValue) place.templates.push(place.depth++);
  place.at += place.isValue ? 1 : 2;
}
