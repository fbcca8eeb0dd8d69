import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadEmbeddingModel } from "../../src/ai/models/embedding-model.ts";
import { encode, openTokenizer } from "../../src/ai/models/tokenizer.ts";

// Usage: bun scripts/models/speed.ts --texts texts.txt models/multilingual-e5-notes-v1 OTHER
//
// How much of a processor's time embedding models take, in one process and in turns so that whatever else the machine does
// meets all alike: only their ratios count. Rows have as many tokens each, in each model's own counting; a question is read alone.

const TOKENS = 19;
const ROWS = 64;
const ROUNDS = 12;
const SPEC = { task: "embed", max_tokens: TOKENS, width: 384 } as const;

const { values, positionals } = parseArgs({ options: { texts: { type: "string" } }, allowPositionals: true });
if (!values.texts || positionals.length === 0) throw new Error("Name a file with --texts, and folders of models.");
const words = readFileSync(values.texts, "utf8").split(/\s+/).filter(Boolean);

const models = await Promise.all(
  positionals.map(async (path) => {
    const folder = resolve(path);
    const model = await loadEmbeddingModel({ ...SPEC, id: basename(folder), folder }, 1);
    const tokenizer = await openTokenizer(folder);
    await model.run([{ text: "warm up" }]);
    return { name: basename(folder), model, rows: rowsOf((text) => encode(tokenizer, { text }, TOKENS).ids.length) };
  }),
);
const times = models.map(() => ({ rows: [] as number[], question: [] as number[] }));
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, { model, rows }] of models.entries()) {
    const part = rows.slice(round * ROWS, (round + 1) * ROWS);
    const [question = { text: "" }, ...others] = part;
    times[index]?.question.push(await timed(() => model.run([question])));
    times[index]?.rows.push((await timed(() => model.run(others))) / others.length);
  }
}
for (const [index, { name }] of models.entries()) {
  const [row, question] = [median(times[index]?.rows ?? []), median(times[index]?.question ?? [])];
  console.log(
    `${name}: ${Math.round(1_000 / row)} rows of ${TOKENS} tokens a second of a processor, ${question.toFixed(2)} ms a question`,
  );
}

/** Texts of so many tokens, each of other words. */
function rowsOf(tokens: (text: string) => number) {
  let at = 0;
  return Array.from({ length: ROUNDS * ROWS }, () => {
    let text = "";
    while (tokens(text) < TOKENS) text += ` ${words[at++ % words.length]}`;
    return { text };
  });
}

/** Milliseconds of all processors together. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
