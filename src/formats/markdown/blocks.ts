import type { MarkedToken } from "marked";
import type { BadBlock, Block, Heading, Said } from "./block.ts";
import { lexed } from "./bounded-lexer.ts";
import { flat } from "./flat.ts";
import { headingTrail } from "./headings.ts";
import { inlineText, withoutHtml } from "./inline.ts";
import { itemsOf } from "./items.ts";
import { NESTING_MAX, tooDeepLine } from "./nesting.ts";
import { rowsOf } from "./rows.ts";

/** Reads Markdown (CommonMark with tables and check boxes) as pieces: paragraphs with their code, items of lists, rows. */
export function* blocksOf(markdown: string): Generator<Block | BadBlock> {
  const deep = tooDeepLine(markdown);
  if (deep !== null) {
    yield {
      line: deep,
      fault: `Quotes and lists lie deeper than ${NESTING_MAX} in one another here: nothing is read of it.`,
    };
    return;
  }
  try {
    const trail = headingTrail();
    for (const piece of piecesOf(lexed(markdown))) {
      if ("fault" in piece) yield piece;
      else if ("depth" in piece) yield* trail.enter(piece);
      else yield trail.place(piece);
    }
    yield* trail.end();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    yield { line: 1, fault: "Its marks lie so deep in one another that no more of it can be read." };
  }
}

function* piecesOf(tokens: readonly MarkedToken[]): Generator<Said | Heading | BadBlock> {
  /** A paragraph, which code or a list after it may belong to. */
  let open: Said | null = null;
  for (const { token, text, line } of telling(tokens)) {
    if (token.type === "code" && open) {
      open = withCode(open, text);
      continue;
    }
    const under: readonly string[] = open && isLeadIn(open.text) && hasParts(token) ? [open.text] : [];
    if (open && under.length === 0) yield open;
    open = isText(token) ? { line, under: [], text, checked: null } : null;
    if (!open) yield* partsOf(token, line, under);
  }
  if (open) yield open;
}

const withCode = (before: Said, code: string): Said => ({ ...before, text: `${before.text}\n${code}` });

interface Telling {
  readonly token: MarkedToken;
  readonly text: string;
  readonly line: number;
}

/** Tokens that show something, with their lines. */
function* telling(tokens: readonly MarkedToken[]): Generator<Telling> {
  let line = 1;
  for (const token of tokens) {
    const text = token.type === "space" || token.type === "def" ? "" : textOf(token);
    if (text !== "") yield { token, text, line };
    line += token.raw.split("\n").length - 1;
  }
}

const isText = ({ type }: MarkedToken): boolean => type === "paragraph" || type === "text" || type === "code";
const hasParts = ({ type }: MarkedToken): boolean => type === "list" || type === "table" || type === "blockquote";
/** "We use:" says nothing without what follows. */
const isLeadIn = (text: string): boolean => /[:：]$/.test(text) && !text.includes("\n");

function textOf(token: MarkedToken): string {
  if (token.type === "html") return withoutHtml(token.raw).trim();
  return isText(token) ? flat([token]) : token.raw.trim();
}

function* partsOf(token: MarkedToken, line: number, under: readonly string[]): Generator<Said | Heading | BadBlock> {
  if (token.type === "heading") yield { line, depth: token.depth, title: inlineText(token.tokens) };
  else if (token.type === "list") yield* itemsOf(token, line, under);
  else if (token.type === "table") yield* rowsOf(token, line, under);
  else if (token.type === "blockquote") yield { line, under, text: flat([token]), checked: null };
  else if (token.type === "html") yield htmlOf(token.raw, line);
}

function htmlOf(html: string, line: number): Said | BadBlock {
  const opened = html.lastIndexOf("<!--");
  if (opened >= 0 && !html.includes("-->", opened))
    return { line, fault: "A comment begins here that has no end (-->): what follows cannot be told from it." };
  return {
    line,
    under: [],
    text: withoutHtml(html)
      .split("\n")
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .join("\n"),
    checked: null,
  };
}
