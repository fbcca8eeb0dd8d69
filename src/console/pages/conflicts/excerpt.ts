import type { Span } from "../../kit/text.tsx";
import { cutAt } from "../../kit/text.tsx";

/** A part of a text, with the marked span at its new place. */
interface Excerpt {
  readonly value: string;
  readonly spans: readonly Span[];
  /** Whether there is more of the text. */
  readonly isCut: boolean;
}

/** Texts up to this length, in UTF-16 units, are shown whole. */
const WHOLE_MAX = 900;
/** Units kept before and after what is marked. */
const AROUND = 350;

/** A text whole, or, where it is long, what stands around the marked span. */
export function excerptOf(content: string, { start, end }: Span): Excerpt {
  const spans = end > start ? [{ start, end }] : [];
  if (content.length <= WHOLE_MAX) return { value: content, spans, isCut: false };
  const from = wordBefore(content, start - AROUND);
  const to = wordBefore(content, Math.max(end + AROUND, from + 2 * AROUND));
  const head = from > 0 ? "…" : "";
  const tail = to < content.length ? "…" : "";
  const shift = head.length - from;
  return {
    value: `${head}${content.slice(from, to)}${tail}`,
    spans: spans.map((span) => ({ start: span.start + shift, end: span.end + shift })),
    isCut: from > 0 || to < content.length,
  };
}

const WORD_MAX = 40;

/** A place to cut at, at most one word before the given one, and not within a character. */
function wordBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const space = text.slice(at - WORD_MAX, at).search(/\s\S*$/);
  if (space >= 0) return at - Math.min(WORD_MAX, at) + space + 1;
  return cutAt(text, at);
}
