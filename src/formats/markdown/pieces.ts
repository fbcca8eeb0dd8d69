import { preview } from "../../core/kernel/text.ts";
import { joinSentences, splitSentences } from "../../text/words/sentences.ts";

/** Parts a text into pieces of at most so many characters: between lines, else between sentences, else anywhere. */
export function piecesOf(text: string, max: number): string[] {
  if (text.length <= max) return [text];
  return gathered(text.split("\n"), onLines, max, (line) =>
    gathered(splitSentences(line), asSentences, max, (sentence) => cut(sentence, max)),
  );
}

type Join = (one: string, next: string) => string;
const onLines: Join = (one, next) => `${one}\n${next}`;
const asSentences: Join = (one, next) => joinSentences([one, next]);

/** Joins parts in order into pieces as long as they may be; a part that is too long itself is parted by `part`. */
function gathered(parts: readonly string[], join: Join, max: number, part: (long: string) => string[]): string[] {
  const pieces: string[] = [];
  let open = "";
  for (const one of parts.flatMap((text) => (text.length > max ? part(text) : [text]))) {
    const both = open === "" ? one : join(open, one);
    if (both.length > max) pieces.push(open);
    open = both.length > max ? one : both;
  }
  return [...pieces, open].filter((piece) => piece.trim() !== "");
}

/** Never within a character. */
function cut(text: string, max: number): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const piece = preview(rest, max / 2);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}
