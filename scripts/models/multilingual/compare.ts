import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openTokenizer } from "../../../src/ai/models/tokenizer.ts";

// Usage: bun scripts/models/multilingual/compare.ts --model FOLDER --texts texts.jsonl
//
// Compares numbers of tokens with those that fixture.py wrote beside the texts. Exits with 1 when any differ. Texts with
// characters that are newer than the reference's tables of Unicode (11) are set aside: here they are folded into older ones
// where they are such in another form, there they are unknown.

const SHOWN = 20;

const { values } = parseArgs({ options: { model: { type: "string" }, texts: { type: "string" } } });
if (!values.model || !values.texts) throw new Error("Name a model's folder with --model, and texts with --texts.");

const tokenizer = await openTokenizer(resolve(values.model));
const lines = (await Bun.file(values.texts).text()).trimEnd().split("\n");
const written = lines.map((line): [text: string, ids: number[], normalized?: string] => JSON.parse(line));
const isOlder = (text: string, normalized: string | undefined): boolean =>
  normalized === undefined || text.toWellFormed().normalize("NFKC") === normalized;
const rows = written.filter(([text, , normalized]) => isOlder(text, normalized));
const others = rows.filter(([text, ids]) => tokenizer.encode(text).join() !== ids.join());
for (const [text, ids] of others.slice(0, SHOWN)) {
  console.log(JSON.stringify(text));
  console.log(`  expected ${ids.join(" ")}\n  found    ${tokenizer.encode(text).join(" ")}`);
}
const aside = written.length - rows.length;
console.log(`${rows.length - others.length} of ${rows.length} texts have the reference's tokens; ${aside} set aside.`);
if (others.length > 0) process.exit(1);
