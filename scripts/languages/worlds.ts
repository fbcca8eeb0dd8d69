import { join } from "node:path";
import { z } from "zod";
import type { CallLocal } from "../../src/cli/call.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { TOP_K } from "../ablate/run.ts";
import { onServer, untilSettled } from "../evaluate/client.ts";
import { mark, meansOf, noMarks, toItem } from "../evaluate/question-set.ts";
import type { WorldRow } from "./held-out.ts";
import { heldOutWorlds } from "./held-out.ts";

const FOLDER = join(import.meta.dir, "../reader/languages");

const Found = z.object({ items: z.array(z.object({ metadata: z.looseObject({}).nullish() })) });

const QUESTIONS = ["asked", "searched"] as const;

/** How well the worlds to which nothing was fitted are found over HTTP, by language and kind of question. */
export async function measureWorlds({
  url,
  isChosen,
}: {
  readonly url: string | undefined;
  readonly isChosen: (language: string) => boolean;
}) {
  const languages = (await heldOutWorlds(FOLDER)).filter(({ language }) => isChosen(language));
  return onServer({ url }, async (call) => {
    for (const { reported } of languages) await store(call, reported);
    await untilSettled(call);
    const lines = [];
    for (const { language, reported } of languages) lines.push(...(await measure(call, language, reported)));
    return lines;
  });
}

async function store(call: CallLocal, rows: readonly WorldRow[]): Promise<void> {
  for (const [agent_id, own] of Map.groupBy(rows, ({ world }) => world)) {
    const items = own.map(({ text }, i) => toItem({ ref: String(i), group: agent_id, text }));
    for (let i = 0; i < items.length; i += BULK_MAX)
      await call("POST", "/memories/bulk", { agent_id, items: items.slice(i, i + BULK_MAX) });
  }
}

async function measure(call: CallLocal, language: string, rows: readonly WorldRow[]) {
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
