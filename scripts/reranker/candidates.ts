// Usage: bun scripts/reranker/candidates.ts OUT.jsonl [--of prompts|questions|measured]
//
// What search proposes for the prompts of ./prompts, which are written to worlds of ../reader and to stores of test/relevance, for
// the questions of those worlds, or for the prompts that are measured with (test/relevance): the best notes of a search as hooks make
// it, and each that should be shown, with what its writer says of it. A line of OUT: {world, kind, prompt, notes: [{text, label,
// score}]}; label: needed, helpful or none; score: null where search does not propose it.
import { parseArgs } from "node:util";
import { z } from "zod";
import { callThrough } from "../../src/cli/call.ts";
import { queryOf } from "../../src/cli/hook/tell.ts";
import { PROMPTS, STORES } from "../../test/relevance/stores.ts";
import { openApp } from "../bench/folder.ts";

const PROPOSED = 16;

const { values, positionals } = parseArgs({
  options: { of: { type: "string", default: "prompts" } },
  allowPositionals: true,
});
const [out] = positionals;
if (out === undefined) throw new Error("Name the file to write.");
const WorldRow = z.looseObject({ world: z.string(), text: z.string(), questions: z.array(z.string()).default([]) });
const Found = z.object({ items: z.array(z.object({ content: z.string(), score: z.number().nullish() })) });

interface Prompt {
  readonly kind: string;
  readonly prompt: string;
  /** Texts of the notes that must be shown, and of others that help. */
  readonly needed: readonly string[];
  readonly helpful: readonly string[];
}
interface World {
  readonly name: string;
  readonly texts: readonly string[];
  readonly prompts: readonly Prompt[];
}

async function worldsOf(kind: string): Promise<World[]> {
  if (kind === "measured") return measured();
  const rows = (
    await Promise.all([...glob("../reader/texts.jsonl"), ...glob("../reader/languages/*.jsonl")].map(rowsIn))
  ).flat();
  const ofStores = STORES.flatMap(({ store }) =>
    store.memories.map(({ text }): z.infer<typeof WorldRow> => ({ world: store.name, text, questions: [] })),
  );
  const worlds = [...Map.groupBy([...rows, ...ofStores], ({ world }) => world)].map(([name, rows]) => ({
    name,
    rows,
    texts: rows.map(({ text }) => text),
  }));
  if (kind === "questions")
    return worlds.map(({ rows, ...world }) => ({
      ...world,
      prompts: rows.flatMap(({ text, questions }) =>
        questions.map((prompt) => ({ kind: "question", prompt, needed: [text], helpful: [] })),
      ),
    }));
  const lines = (await Promise.all(glob("prompts/*.txt").map((path) => Bun.file(path).text()))).flatMap((text) =>
    text.split("\n").filter(Boolean),
  );
  const asked = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(" | ")));
  return worlds.map(({ name, texts }) => ({
    name,
    texts,
    prompts: (asked.get(name) ?? []).map((line) => promptOf(line, texts)),
  }));
}

const glob = (pattern: string): string[] => [...new Bun.Glob(`${import.meta.dir}/${pattern}`).scanSync("/")].toSorted();

async function rowsIn(path: string) {
  return z.array(WorldRow).parse(Bun.JSONL.parse(await Bun.file(path).text()));
}

function promptOf(line: string, texts: readonly string[]): Prompt {
  const [, kind = "", needed = "", helpful = "", ...rest] = line.split(" | ");
  const textsOf = (numbers: string): string[] =>
    [...numbers.matchAll(/\d+/g)].flatMap(([number]) => texts[Number(number) - 1] ?? []);
  const prompt = rest.join(" | ").replaceAll("\\n", "\n");
  return { kind, prompt, needed: textsOf(needed), helpful: textsOf(helpful) };
}

function measured(): World[] {
  return STORES.map(({ store }) => {
    const textOf = new Map(store.memories.map(({ ref, text }) => [ref, text] as const));
    const textsOf = (refs: readonly string[]): string[] => refs.flatMap((ref) => textOf.get(ref) ?? []);
    const own = PROMPTS.filter(({ group }) => store.memories.some((memory) => memory.group === group));
    const prompts = own.map(({ kind, prompt, relevant, helpful }) => ({
      kind,
      prompt,
      needed: textsOf(relevant),
      helpful: textsOf(helpful),
    }));
    return { name: store.name, texts: [...textOf.values()], prompts };
  });
}

const app = await openApp(null);
const call = callThrough("http://localhost", {}, (request) => app.handle(request));
await app.services.embedder.ready();
const writer = Bun.file(out).writer();
for (const { name, texts, prompts } of await worldsOf(values.of)) {
  if (prompts.length === 0) continue;
  for (const content of texts)
    await call("POST", "/api/v1/memories", { content, agent_id: "reranker", fleet_id: name });
  await app.runner.drain();
  for (const prompt of prompts) writer.write(`${JSON.stringify({ world: name, ...(await proposed(name, prompt)) })}\n`);
  console.log(name, prompts.length);
}
await writer.end();
process.exit(0);

async function proposed(world: string, { kind, prompt, needed, helpful }: Prompt) {
  const query = queryOf(prompt);
  const body = { query, fleet_ids: [world], top_k: PROPOSED, min_score: 0, diagnostic: true };
  const { items } = query === null ? { items: [] } : Found.parse(await call("POST", "/api/v1/search", body));
  const scores = new Map(items.map(({ content, score }) => [content, score ?? 0]));
  const notes = [...new Set([...scores.keys(), ...needed, ...helpful])].map((text) => ({
    text,
    label: needed.includes(text) ? "needed" : helpful.includes(text) ? "helpful" : "none",
    score: scores.get(text) ?? null,
  }));
  return { kind, prompt, notes };
}
