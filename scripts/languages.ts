import { STANDALONE_TENANT } from "../src/access/resolve.ts";
import { searchDocuments } from "../src/documents/search.ts";
import { writeDocument } from "../src/documents/write.ts";
import type { Language } from "../test/relevance/sets.ts";
import { LANGUAGES, TOLD } from "../test/relevance/sets.ts";
import { ask, load, rank, TOP_K } from "./ablate/run.ts";
import { VARIANTS } from "./ablate/variants.ts";
import { ctxOf, openApp } from "./bench/folder.ts";
import { toTable } from "./bench/tables.ts";
import { mark, noMarks } from "./evaluate/question-set.ts";

// Usage: bun scripts/languages.ts
//
// How well each of six languages is found: a hundred memories, half of the questions in the words of their memory, half in
// others. Memories are ranked by words alone, by the model alone, and as they are served; then the same texts as documents.
// Each language is searched by itself.

const WAYS = { "keyword only": "words", "vector only": "model", everything: "served" } as const;
type Way = keyof typeof WAYS;
const isWay = (name: string): name is Way => name in WAYS;
const RANKINGS = VARIANTS.filter(({ name }) => isWay(name));

/** Names of what a question of a language finds, best first, by the way of searching. */
type Found = ReadonlyMap<string, readonly string[]>;

const app = await openApp(null);
const ctx = await ctxOf(app);
const tenant_id = STANDALONE_TENANT;

async function store(language: Language): Promise<void> {
  const memories = TOLD.map(({ [language]: { memory } }, i) => ({ ref: String(i), group: language, text: memory }));
  await load(ctx, { name: language, memories, queries: [], unanswerable: [] }, app.runner.drain);
  for (const { ref, text } of memories) {
    const data = { summary: text };
    await writeDocument(ctx, { tenant_id, collection: language, doc_id: ref, data });
  }
  await app.runner.drain();
}

async function find(language: Language, query: string): Promise<Found> {
  const asked = await ask(ctx, { query, group: language, gold: [], category: "" }, false);
  const found = new Map<string, readonly string[]>();
  for (const variant of RANKINGS)
    if (isWay(variant.name)) {
      const rows = await rank(ctx, asked, variant);
      found.set(
        WAYS[variant.name],
        rows.map(({ ref }) => ref),
      );
    }
  const { findings } = await searchDocuments(ctx, { tenant_id, query, collection: language, top_k: TOP_K });
  return found.set(
    "document",
    findings.results.map(({ doc_id }) => doc_id),
  );
}

const COLUMNS = [...Object.values(WAYS), "document"];
const rows: string[][] = [];
for (const language of LANGUAGES) {
  await store(language);
  for (const isParaphrase of [false, true]) {
    const marks = new Map(COLUMNS.map((way) => [way, noMarks()]));
    for (const [i, { [language]: pair, paraphrased }] of TOLD.entries()) {
      if (paraphrased !== isParaphrase) continue;
      const found = await find(language, pair.question);
      for (const [way, sums] of marks) mark(sums, found.get(way) ?? [], [String(i)]);
    }
    const cells = Array.from(marks.values(), ({ questions, recall1, recall10, reciprocal }) =>
      [recall1, recall10, reciprocal].map((sum) => (sum / questions).toFixed(2)).join(" "),
    );
    rows.push([language, isParaphrase ? "paraphrased" : "in its words", ...cells]);
  }
}
await app.stop();
console.log("R@1, R@10 and MRR");
console.log(toTable(["language", "asked", ...COLUMNS], rows));
