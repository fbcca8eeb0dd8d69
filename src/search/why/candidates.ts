import { rounded } from "../../core/kernel/text.ts";
import type { HitReply } from "../../core/ports/hits.ts";
import { emojiIn } from "../../text/words/emoji.ts";
import { hitQuery } from "../find.ts";
import type { Case, Outcome } from "./case.ts";
import { failed, passed, quoted } from "./case.ts";

/** Whether the memory can be found by meaning; where it cannot, and its words did not find it either, that is why. */
export async function hasVector(one: Case): Promise<Outcome> {
  const { ctx, memory, ranked, findings } = one;
  const isRead = memory.embedded_by === ctx.embedder.id;
  if (isRead && (await ctx.storage.memories.getVector(memory))) {
    return passed(
      findings.query_vector
        ? "It has a vector of the model in use."
        : "It has a vector, but the question has none: words alone found what was found.",
    );
  }
  const lack = isRead ? "The model cannot read it" : "It has no vector yet";
  if (ranked) return passed(`${lack}: its words alone brought it in.`);
  return failed(
    `${lack}, so that its words alone can find it: ${wordsOf(one, await probe(one))}.`,
    isRead ? "Ask with words that it holds." : "Wait until it has one, or ask with words that it holds.",
  );
}

/** Whether words or meaning brought the memory in. */
export async function isCandidate(one: Case): Promise<Outcome> {
  const { ranked, findings } = one;
  const considered = findings.ranked.length;
  if (ranked) return passed(`It is one of ${considered} that were considered, found by ${legsOf(ranked.hit.legs)}.`);
  const reply = await probe(one);
  const cosine = reply.hits[0]?.vec_sim ?? null;
  const meaning =
    cosine === null ? "" : ` its similarity to the question is ${rounded(cosine)}, and ${nearer(one, cosine)};`;
  return failed(
    `It is not among the ${considered} that were considered:${meaning} ${wordsOf(one, reply)}.`,
    "Ask with words that it holds, or narrow the search by fleet, author or type.",
  );
}

const legsOf = (legs: readonly string[]): string =>
  legs.map((leg) => (leg === "vector" ? "meaning" : "words")).join(" and ");

function nearer({ findings: { ranked } }: Case, cosine: number): string {
  const count = ranked.filter(({ hit }) => (hit.vec_sim ?? Number.NEGATIVE_INFINITY) > cosine).length;
  return `${count} of those are nearer`;
}

/** The same search among this memory alone: what its words and its vector say. */
const probe = ({ ctx, memory, findings }: Case): Promise<HitReply> => {
  const query = hitQuery(findings, findings.query_vector);
  return ctx.storage.memories.hits({ ...query, filter: { ...query.filter, ids: [memory.id] } });
};

function wordsOf({ findings: { question } }: Case, { hits, words }: HitReply): string {
  const own_words = hits[0]?.own_words ?? 0;
  if (question.terms.length === 0) return "the question has no words to look up";
  // Of a word that is in too many rows nobody looked up which hold it.
  const looked = words.filter(({ word, rows, weight }) => (rows === 0 || weight > 0) && !question.equals.has(word));
  const held = new Set(
    words.filter((_, i) => (own_words & (1 << i)) !== 0).map(({ word }) => question.equals.get(word) ?? word),
  );
  const missing = looked.filter(({ word }) => !held.has(word)).map(({ word }) => emojiIn(word));
  if (missing.length === 0) return "it holds the words of the question, but no more of them than others do";
  return own_words === 0 ? `it holds none of the words ${quoted(missing)}` : `it does not hold ${quoted(missing)}`;
}
