import { stemmer } from "stemmer";

// Usage: bun scripts/ranking/ordinary-words.ts
//
// Prints the table of `src/text/words/ordinary-words.ts`: stems of the commonest words of English. The embedder's vocabulary
// lists whole words by how often they are written.

const COMMONEST = 3_000;
const LINE_WIDTH = 116;

const { model } = await Bun.file("models/judge-v3/tokenizer.json").json();
const vocabulary: Readonly<Record<string, number>> = model.vocab;
const words = Object.entries(vocabulary)
  .sort(([, a], [, b]) => a - b)
  .map(([word]) => word)
  .filter((word) => /^[a-z]{2,}$/.test(word))
  .slice(0, COMMONEST);
const lines = [""];
for (const stem of [...new Set(words.map(stemmer))].sort()) {
  const line = `${lines.at(-1)} ${stem}`.trim();
  if (line.length > LINE_WIDTH) lines.push(stem);
  else lines[lines.length - 1] = line;
}
console.log(lines.map((line) => `  ${line}`).join("\n"));
