import type { MarkedToken } from "marked";
import { inlineText, known, withoutHtml } from "./inline.ts";

/** What stands before the item of a list that is kept in one piece. */
const BULLET = "- ";

/** Blocks as one text: paragraphs, code and lists one below the other. */
export const flat = (tokens: readonly MarkedToken[]): string =>
  tokens
    .map(lines)
    .filter((text) => text !== "")
    .join("\n");

function lines(token: MarkedToken): string {
  switch (token.type) {
    case "paragraph":
    case "heading":
      return inlineText(token.tokens);
    case "text":
      return inlineText(token.tokens ?? [token]);
    case "code":
      return token.codeBlockStyle === "indented" ? `\`\`\`\n${token.text}\n\`\`\`` : token.raw.trim();
    case "blockquote":
      return flat(known(token.tokens)).replace(/^\[!\w+\][+-]?[^\S\n]*\n?/, "");
    case "list":
      return token.items.map((item) => indented(mark(item) + flat(known(item.tokens)))).join("\n");
    case "html":
      return withoutHtml(token.raw).trim();
    case "table":
      return token.raw.trim();
    default:
      return "";
  }
}

const mark = ({ task, checked }: { task: boolean; checked?: boolean }): string =>
  task ? `${BULLET}[${checked ? "x" : " "}] ` : BULLET;

const indented = (item: string): string => item.replace(/\n/g, "\n  ");
