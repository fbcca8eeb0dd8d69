/** Sentences shorter than this say too little to stand alone and join the one before. */
const SENTENCE_MIN = 12;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Splits a text into sentences by the Unicode rules, line breaks included; short fragments join their predecessor. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    for (const { segment } of segmenter.segment(line)) {
      const sentence = segment.trim();
      const last = sentences.length - 1;
      if (sentence === "") continue;
      if (last >= 0 && sentence.length < SENTENCE_MIN) sentences[last] = `${sentences[last]} ${sentence}`;
      else sentences.push(sentence);
    }
  }
  return sentences;
}
