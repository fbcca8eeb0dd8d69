// Usage: bun scripts/reranker/candidates.ts OUT.jsonl [PROMPTS.txt...]
//
// What search proposes for the prompts of scripts/reranker/prompts, which are written to worlds of scripts/reader: each note
// among the best of one of a prompt's needs, and each that should be shown, with what its writer says of it. A line of OUT: {world, kind,
// prompt, notes: [{text, label, score, need}]}; label: needed, helpful or none; need: the part of the prompt that found it best.
import { z } from "zod";
import { callThrough } from "../../src/cli/call.ts";
import { needsOf } from "../../src/text/prompts/needs.ts";
import { openApp } from "../bench/folder.ts";

/** Of each need so many notes are taken, and of a prompt so many, those that are first for a need before those that are second. */
const OF_A_NEED = 12;
const OF_A_PROMPT = 16;

const [out, ...named] = process.argv.slice(2);
if (out === undefined) throw new Error("Name the file to write.");
const WorldRow = z.looseObject({ world: z.string(), text: z.string() });
const Found = z.object({ items: z.array(z.object({ content: z.string(), score: z.number().nullish() })) });
const glob = (pattern: string) => [...new Bun.Glob(`${import.meta.dir}/${pattern}`).scanSync("/")].toSorted();
const files = named.length > 0 ? named : glob("prompts/*.txt");

interface Prompt {
  readonly world: string;
  readonly kind: string;
  readonly needed: readonly number[];
  readonly helpful: readonly number[];
  readonly prompt: string;
}
const numbers = (text: string): number[] => [...text.matchAll(/\d+/g)].map(Number);
function promptOf(line: string): Prompt {
  const [world = "", kind = "", needed = "", helpful = "", ...rest] = line.split(" | ");
  const prompt = rest.join(" | ").replaceAll("\\n", "\n");
  return { world, kind, needed: numbers(needed), helpful: numbers(helpful), prompt };
}

const rows = (
  await Promise.all(
    [...glob("../reader/texts.jsonl"), ...glob("../reader/languages/*.jsonl")].map(async (path) =>
      z.array(WorldRow).parse(Bun.JSONL.parse(await Bun.file(path).text())),
    ),
  )
).flat();
const worlds = Map.groupBy(rows, ({ world }) => world);
const prompts = (await Promise.all(files.map((path) => Bun.file(path).text()))).flatMap((text) =>
  text.split("\n").filter(Boolean).map(promptOf),
);

const app = await openApp(null);
const call = callThrough("http://localhost", {}, (request) => app.handle(request));
await app.services.embedder.ready();
const writer = Bun.file(out).writer();
for (const [world, asked] of Map.groupBy(prompts, (prompt) => prompt.world)) {
  const texts = (worlds.get(world) ?? []).map(({ text }) => text);
  if (texts.length === 0) throw new Error(`There is no world ${world}.`);
  for (const content of texts)
    await call("POST", "/api/v1/memories", { content, agent_id: "reranker", fleet_id: world });
  await app.runner.drain();
  for (const prompt of asked) writer.write(`${JSON.stringify(await proposed(prompt, texts))}\n`);
  console.log(world, asked.length);
}
await writer.end();
process.exit(0);

async function proposed({ world, kind, prompt, needed, helpful }: Prompt, texts: readonly string[]) {
  const needs = needsOf(prompt);
  const found = await Promise.all(
    needs.map(async (query) => {
      const body = { query, fleet_ids: [world], top_k: OF_A_NEED, min_score: 0, diagnostic: true };
      return Found.parse(await call("POST", "/api/v1/search", body)).items;
    }),
  );
  const best = new Map<string, { readonly score: number; readonly need: string }>();
  for (let place = 0; place < OF_A_NEED; place++)
    for (const [i, items] of found.entries()) {
      const item = items[place];
      if (!item) continue;
      const [score, known] = [item.score ?? 0, best.get(item.content)];
      if (known ? score > known.score : best.size < OF_A_PROMPT)
        best.set(item.content, { score, need: needs[i] ?? "" });
    }
  const wanted = [...needed, ...helpful].map((number) => texts[number - 1] ?? "");
  const of = (some: readonly number[], text: string): boolean => some.some((number) => texts[number - 1] === text);
  const notes = [...new Set([...best.keys(), ...wanted])].map((text) => ({
    text,
    label: of(needed, text) ? "needed" : of(helpful, text) ? "helpful" : "none",
    score: best.get(text)?.score ?? null,
    need: best.get(text)?.need ?? null,
  }));
  return { world, kind, prompt, notes };
}
