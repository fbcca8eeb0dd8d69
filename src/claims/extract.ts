import { fold } from "../kernel/words.ts";
import type { Claim } from "./claim.ts";

/** "The staging database runs Postgres 14.": what is spoken of, a verb that tells something of it, and what it tells. */
const STATEMENT =
  /(?:^|[.!?]\s+)(?:the |a |an |our |my )?([^.!?]{2,60}?) (is|are|runs|uses|lives in|moved to) ([^!?]+?)(?=[.!?](?:\s|$)|$)/giu;
const PREDICATES: Readonly<Record<string, string>> = { are: "is", "lives in": "located_in", "moved to": "located_in" };

/** Claims of plain sentences. */
export function extractClaims(text: string, _reference_ms: number): Claim[] {
  return [...text.matchAll(STATEMENT)].map((found) => {
    const [whole, subject = "", verb = "", value = ""] = found;
    return {
      subject,
      subject_key: fold(subject),
      predicate: PREDICATES[fold(verb)] ?? fold(verb),
      value,
      value_kind: "text",
      value_key: fold(value),
      negated: false,
      modality: "asserted",
      span: { start: found.index, end: found.index + whole.length },
    };
  });
}
