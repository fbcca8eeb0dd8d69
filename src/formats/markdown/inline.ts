import type { MarkedToken, Token } from "marked";

/** Tokens of a text. Safe: no extension is set that would make others. */
export const known = (tokens: readonly Token[] | undefined): readonly MarkedToken[] =>
  (tokens ?? []) as readonly MarkedToken[];

/** Running text without marks of emphasis and comments; code, links and what is struck out keep theirs. */
export const inlineText = (tokens: readonly Token[] | undefined): string =>
  known(tokens)
    .map(written)
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();

function written(token: MarkedToken): string {
  switch (token.type) {
    case "text":
      return token.tokens ? inlineText(token.tokens) : unwrapped(plainCharacters(token.text));
    case "escape":
      return plainCharacters(token.text);
    case "strong":
    case "em":
      return known(token.tokens).map(written).join("");
    case "del":
      return `~~${inlineText(token.tokens)}~~`;
    case "br":
      return "\n";
    case "link":
      return link(inlineText(token.tokens), token.href);
    case "image":
      return `!${link(plainCharacters(token.text), token.href)}`;
    case "html":
      return withoutHtml(token.raw);
    case "checkbox":
      return "";
    default:
      return unwrapped(token.raw);
  }
}

/** A line that was broken for its length only. */
const unwrapped = (text: string): string => text.replace(/\n/g, " ");

/** A link with its target, written out where it was a reference. */
const link = (text: string, href: string): string =>
  text === "" || text === href || `mailto:${text}` === href ? text || href : `[${text}](${href})`;

/** Elements of HTML that people write in Markdown; what else stands in angle brackets is part of the text. */
const ELEMENT =
  /<\/?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|video)\b[^<>]*>/gi;
const BREAK = /<br\s*\/?>|<\/(?:p|li|tr|h[1-6]|div|summary)>/gi;

/** HTML as the text that it shows. */
export const withoutHtml = (html: string): string =>
  plainCharacters(withoutComments(html).replace(BREAK, "\n").replace(ELEMENT, ""));

/** One that has no end stays, and so does what follows. */
function withoutComments(html: string): string {
  let [kept, from] = ["", 0];
  for (let at = html.indexOf("<!--"); at >= 0; at = html.indexOf("<!--", from)) {
    const end = html.indexOf("-->", at);
    if (end < 0) break;
    kept += html.slice(from, at);
    from = end + "-->".length;
  }
  return kept + html.slice(from);
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

const plainCharacters = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => CHARACTERS[name] ?? name);
