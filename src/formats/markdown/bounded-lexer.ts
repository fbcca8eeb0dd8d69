import type { MarkedToken, Token, Tokens } from "marked";
import { getDefaults, Lexer, Tokenizer } from "marked";
import { known } from "./inline.ts";

/** Characters of one text up to which emphasis, links and the like are looked for: that takes time in their square. */
const INLINE_MAX = 8_192;
/** Characters up to which a paragraph may be a heading by the line below it: each is looked at in a slow way. */
const HEADING_MAX = 2_048;

class BoundedTokenizer extends Tokenizer {
  override lheading(src: string): Tokens.Heading | undefined {
    const begin = src.slice(0, HEADING_MAX);
    return begin.length < HEADING_MAX || /\n[ \t]*\n/.test(begin) ? super.lheading(src) : undefined;
  }
}

class BoundedLexer extends Lexer {
  override inline(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= INLINE_MAX) return super.inline(src, tokens);
    tokens.push({ type: "text", raw: src, text: src, escaped: false });
    return tokens;
  }
}

/** The tokens of Markdown, in time that grows as it does: what is too long for a heading, or for marks within, is taken as it is written. */
export const lexed = (markdown: string): readonly MarkedToken[] =>
  known(new BoundedLexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() }).lex(markdown));
