import { basename, join } from "node:path";
import { z } from "zod";
import type { CallLocal } from "../../src/cli/call.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { TOP_K } from "../ablate/run.ts";
import { onServer, untilSettled } from "../evaluate/client.ts";
import { mark, meansOf, noMarks, toItem } from "../evaluate/question-set.ts";

const FOLDER = join(import.meta.dir, "../reader/languages");

/** A memory of a world, with a question as somebody would ask it and one as somebody would search. */
const Row = z.object({
  world: z.string(),
  text: z.string(),
  questions: z.tuple([z.string(), z.string()]),
  held_out: z.boolean().default(false),
});
type Row = z.infer<typeof Row>;

const Found = z.object({ items: z.array(z.object({ metadata: z.looseObject({}).nullish() })) });

const QUESTIONS = ["asked", "searched"] as const;

/** How well the worlds that no model is taught are found over HTTP, by language and kind of question. */
export async function measureWorlds({
  url,
  isChosen,
}: {
  readonly url: string | undefined;
  readonly isChosen: (language: string) => boolean;
}) {
  const languages = (await heldOut()).filter(([language]) => isChosen(language));
  return onServer({ url }, async (call) => {
    for (const [, rows] of languages) await store(call, rows);
    await untilSettled(call);
    const lines = [];
    for (const [language, rows] of languages) lines.push(...(await measure(call, language, rows)));
    return lines;
  });
}

/** The rows of each language that are held out. */
async function heldOut(): Promise<[language: string, rows: Row[]][]> {
  const files = [...new Bun.Glob("*.jsonl").scanSync(FOLDER)].sort();
  const read = await Promise.all(
    files.map(async (file) => {
      const rows = z.array(Row).parse(Bun.JSONL.parse(await Bun.file(join(FOLDER, file)).text()));
      return { language: /^\w+/.exec(basename(file))?.[0] ?? "", rows: rows.filter(({ held_out }) => held_out) };
    }),
  );
  const byLanguage = Map.groupBy(read, ({ language }) => language);
  return Array.from(byLanguage, ([language, parts]) => [language, parts.flatMap(({ rows }) => rows)]);
}

async function store(call: CallLocal, rows: readonly Row[]): Promise<void> {
  for (const [agent_id, own] of Map.groupBy(rows, ({ world }) => world)) {
    const items = own.map(({ text }, i) => toItem({ ref: String(i), group: agent_id, text }));
    for (let i = 0; i < items.length; i += BULK_MAX)
      await call("POST", "/memories/bulk", { agent_id, items: items.slice(i, i + BULK_MAX) });
  }
}

async function measure(call: CallLocal, language: string, rows: readonly Row[]) {
  const sums = QUESTIONS.map((question) => ({ question, marks: noMarks() }));
  for (const [agent_id, own] of Map.groupBy(rows, ({ world }) => world))
    for (const [i, { questions }] of own.entries())
      for (const [nth, { marks }] of sums.entries()) {
        const asked = { query: questions[nth], filter_agent_id: agent_id, top_k: TOP_K };
        const { items } = Found.parse(await call("POST", "/search", asked));
        const refs = items.map(({ metadata }) => String(metadata?.ref));
        mark(marks, refs, [String(i)]);
      }
  return sums.map(({ question, marks }) => ({ language, question, ...meansOf(marks) }));
}
