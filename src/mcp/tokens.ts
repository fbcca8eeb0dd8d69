import { cutAt } from "../core/kernel/text.ts";

/** ASCII characters of a token, at least: ids and JSON hold fewer than prose. */
const TOKEN = 3.5;

/** How many tokens a text takes at most, about: letters beyond ASCII count as one each. */
export function tokensOf(text: string): number {
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const ascii = text.replace(/[^\0-\x7f]/gu, "").length;
  return Math.ceil(ascii / TOKEN) + beyond;
}

/** Characters to quote of a text that is cut to so many tokens: more than they ever hold. */
export const charactersFor = (tokens: number): number => Math.ceil(tokens * TOKEN) + 2;

/** The start of a text within so many tokens, with an ellipsis where it is cut. */
export function cutTo(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  let left = tokens * TOKEN;
  let end = 0;
  for (const letter of text) {
    left -= letter <= "\x7f" ? 1 : TOKEN;
    if (left < 0) break;
    end += letter.length;
  }
  return `${text.slice(0, cutAt(text, end)).trimEnd()}…`;
}
