// Usage: bun scripts/evaluate/rare-words.ts [--words 300] [--url URL [--skip-load]] [--embedder onnx|hash]
//
// How often the row that alone holds a word is first, whatever the question around the word and however it is written: forty
// questions around each of three hundred words, asked over HTTP (`test/relevance/rare-words.ts`). Every other word of a
// question is in two other rows at least. Prints a table of the questions by how often that row is first, then the misses,
// then a line of JSON. Without a URL it starts a server of its own.
import { parseArgs } from "node:util";
import { z } from "zod";
import type { CallLocal } from "../../src/cli/call.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { questionsAround, rareWords, rowsAround, TEMPLATES } from "../../test/relevance/rare-words.ts";
import { markdownTable } from "../markdown.ts";
import { onServer, share, untilSettled } from "./client.ts";

const { values: options } = parseArgs({
  options: {
    words: { type: "string", default: "300" },
    url: { type: "string" },
    embedder: { type: "string" },
    "skip-load": { type: "boolean", default: false },
  },
});

const MISSES_SHOWN = 40;
const Found = z.object({
  items: z.array(z.object({ content: z.string(), metadata: z.looseObject({ word: z.string().nullish() }).nullish() })),
});

interface Miss {
  readonly query: string;
  readonly first: string;
}

const words = rareWords(Number(options.words));
const misses = await onServer(options, async (call) => {
  if (!options["skip-load"]) await load(call);
  await untilSettled(call);
  const missed: (Miss & { readonly template: number })[] = [];
  for (const [i, { word, query }] of questionsAround(words).entries()) {
    const [first] = Found.parse(await call("POST", "/search", { query, top_k: 1 })).items;
    if (first?.metadata?.word === word) continue;
    missed.push({ query, first: first?.content ?? "", template: i % TEMPLATES.length });
  }
  return missed;
});

const asked = words.length * TEMPLATES.length;
const rows = TEMPLATES.map((template, i) => {
  const missed = misses.filter((miss) => miss.template === i).length;
  return [template, share(1 - missed / words.length), missed] as const;
});
console.log(
  markdownTable(["Question", "first", "missed"], [...rows, ["all", share(1 - misses.length / asked), misses.length]]),
);
for (const { query, first } of misses.slice(0, MISSES_SHOWN)) console.log(`${query} -> ${first}`);
console.log(JSON.stringify({ words: words.length, asked, missed: misses.length, first: 1 - misses.length / asked }));

async function load(call: CallLocal): Promise<void> {
  const stored = rowsAround(words);
  for (let i = 0; i < stored.length; i += BULK_MAX) {
    // What happened is not retired by what happened to something else.
    const items = stored
      .slice(i, i + BULK_MAX)
      .map(({ word, text }) => ({ content: text, memory_type: "episode", metadata: { word } }));
    await call("POST", "/memories/bulk", { items });
  }
}
