import { preview } from "../../core/kernel/text.ts";

/** Characters that nobody sees: controls, and format characters but for the two joiners that scripts and emoji need. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;
/** The beginning of a mark that ends something, or of one that a harness or we set around what a model is told. */
const MARK = /<(?=[\s\u200c\u200d]*(?:\/|[?!]|cairn|system|user|assistant|human|tool|function))/gi;

/**
 * A stored text as one line of at most `limit` characters (with an ellipsis where cut), that neither ends the frame it is
 * shown in nor begins another.
 */
export function quoted(text: string, limit: number): string {
  const line = text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  const short = preview(line, limit);
  return `${short.length < line.length ? `${preview(line, limit - 1).trimEnd()}…` : line}`.replace(MARK, "‹");
}

/** The same inside double quotes. */
export const quotedName = (text: string, limit: number): string => quoted(text, limit).replaceAll('"', "'");
