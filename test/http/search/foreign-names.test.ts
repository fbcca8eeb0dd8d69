import { afterAll, beforeAll, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(app.stop);
const api = memoriesApi(app.client);

/** Rows in English with a name or a word of another language, each with what is no word of it. */
const ROWS: readonly (readonly [row: string, ...fragments: string[]])[] = [
  ["Malmö datacenter runs Elasticsearch", "ent", "rund", "earch", "enter"],
  ["Über keyboards", "oard"],
  ["Van Gogh cluster autoscaling", "aling", "scaling"],
  ["Jörg deployed postgres yesterday", "erday", "yes", "gres"],
  ["Des Moines datacenter failover", "enter", "cent"],
  ["Deploy via SSH con Docker", "dock"],
  ["Kubernetes Elasticsearch Prometheus", "earch", "elast"],
];
/** Rows in German, whose nouns have capitals as names have, each with what its words are asked by. */
const GERMAN: readonly (readonly [row: string, ...questions: string[]])[] = [
  ["Der Drucker streikt dienstags", "Druckern"],
  ["Rückerstattungsantrag Müller", "Antrag", "Rückerstattung"],
  ["Die Lohnabrechnung macht Frau Weiß", "Abrechnungen"],
];

beforeAll(async () => {
  for (const [content] of [...ROWS, ...GERMAN]) await api.write({ content });
  await app.settle();
});

async function held(query: string, row: string): Promise<number> {
  const { items } = await api.search(query, { top_k: 20 });
  return items.find(({ content }) => content === row)?.score_parts?.fts_score ?? 0;
}

test.each(ROWS.map(([row, ...fragments]) => ({ row, fragments })))(
  "no word is taken apart for a name alone: $row",
  async ({ row, fragments }) => {
    for (const fragment of fragments) expect([fragment, await held(fragment, row)]).toEqual([fragment, 0]);
    for (const word of row.split(" ")) expect([word, (await held(word, row)) > 0]).toEqual([word, true]);
  },
);

test.each(GERMAN.map(([row, ...questions]) => ({ row, questions })))(
  "a capital is no name in German: $row",
  async ({ row, questions }) => {
    for (const question of questions) expect([question, (await held(question, row)) > 0]).toEqual([question, true]);
  },
);
