import { once } from "../../core/kernel/once.ts";

/** Sentences shorter than this say too little to stand alone and join the one before. */
const SENTENCE_MIN = 12;

/** A text that stops after a name's initial: "signed by J." */
const INITIAL = /\s\p{Lu}\.$/u;

const segmenter = once(() => new Intl.Segmenter("en", { granularity: "sentence" }));

/**
 * Splits a text into sentences by the Unicode rules, line breaks included; short fragments, and what follows an initial,
 * join their predecessor.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    for (const { segment } of segmenter().segment(line)) {
      const sentence = segment.trim();
      const last = sentences.length - 1;
      if (sentence === "") continue;
      const isPart = sentence.length < SENTENCE_MIN || INITIAL.test(sentences[last] ?? "");
      if (last >= 0 && isPart) sentences[last] = `${sentences[last]} ${sentence}`;
      else sentences.push(sentence);
    }
  }
  return sentences;
}
