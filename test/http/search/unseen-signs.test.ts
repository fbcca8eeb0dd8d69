import { afterAll, beforeAll, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(app.stop);
const api = memoriesApi(app.client);

const SHY = "\u00ad";
const ROWS = [
  `The Kuber${SHY}netes upgrade is on hold.`,
  "The ware\u200bhouse opens at nine.",
  "Die Auf\u200clage ist ver\u2060griffen.",
  "Qu\ufeffokkas eat leaves, says Wan\u200dda.",
  "קוד הכני\u200fסה נשמר בכספת",
  "می\u200cروم به بازار",
  "Icons of a font: \u{ff680} and \u{f05a9}menubar.",
  "Ship it \u{1f680} on Friday.",
] as const;

beforeAll(async () => {
  for (const content of ROWS) await api.write({ content });
  await app.settle();
});

async function firstOf(query: string): Promise<string | undefined> {
  const { items } = await api.search(query);
  return items.filter(({ score_parts }) => (score_parts?.fts_score ?? 0) > 0.3)[0]?.content;
}

test.each([
  ["Kubernetes", 0],
  ["Ku\u200bber\u00adnetes", 0],
  ["warehouse", 1],
  ["ware\u200ehouses", 1],
  ["Auflage", 2],
  ["vergriffen", 2],
  ["quokka", 3],
  ["Wanda", 3],
  ["הכניסה", 4],
  ["روم", 5],
  ["menubar", 6],
  ["🚀", 7],
] as const)("signs that nobody sees are no part of a word: %p", async (query, row) => {
  expect(await firstOf(query)).toBe(ROWS[row]);
});
