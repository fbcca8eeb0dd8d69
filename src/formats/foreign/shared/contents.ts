import { once } from "../../../core/kernel/once.ts";
import { characterCount, cutAt } from "../../../core/kernel/text.ts";
import { CONTENT_MAX, CONTENT_MIN } from "../../../core/schema/memory.ts";

const segmenter = once(() => new Intl.Segmenter("en", { granularity: "sentence" }));

/**
 * A text as contents of memories, each of which begins with the subject: one where it fits, else several, cut at borders
 * of sentences. A rest that is too short to be a memory stays with what is before it.
 */
export function contentsOf(text: string, subject: string | null): string[] {
  const prefix = subject === null || text.startsWith(subject) ? "" : `${subject}: `;
  if (characterCount(prefix + text) <= CONTENT_MAX) return [prefix + text];
  const room = CONTENT_MAX - CONTENT_MIN - prefix.length;
  const parts: string[] = [];
  let part = "";
  for (const sentence of sentencesOf(text, room)) {
    if (part !== "" && part.length + sentence.length > room) {
      parts.push(part);
      part = "";
    }
    part += sentence;
  }
  if (parts.length > 0 && part.trim().length < CONTENT_MIN) parts[parts.length - 1] += part;
  else parts.push(part);
  return parts.map((one) => prefix + one.trim()).filter((one) => one.length > prefix.length);
}

/** The sentences of a text with the space after them; one that is too long in pieces, cut where a word ends if it can be. */
function* sentencesOf(text: string, room: number): Iterable<string> {
  for (const { segment } of segmenter().segment(text)) {
    let rest = segment;
    while (rest.length > room) {
      const space = rest.lastIndexOf(" ", room - 1);
      const end = space > room / 2 ? space + 1 : cutAt(rest, room);
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    yield rest;
  }
}
