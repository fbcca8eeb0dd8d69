import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// Without the model: what is found here is found by its words. First is what is near in meaning, of which the embedder of tests
// knows nothing: it is looked for among the first three.
const app = await startApp();
afterAll(() => app.stop());
const memories = memoriesApi(app.client);
const documents = documentsApi(app.client);

const NOTES = {
  chinese: "我们决定把客户数据库迁移到新加坡机房，原来的服务器年底关机。",
  japanese: "請求書は毎月二十五日に経理部の佐藤さんがまとめて送ります。",
  thai: "การประชุมทีมย้ายไปวันพฤหัสบดี",
  korean: "결제 서버는 매주 일요일 새벽에 재시작한다.",
  german: "Die Rechnung für das Büro in der Hauptstraße bezahlt Jürgen am Monatsende.",
  question: "Was die Kunden wollen, steht im Wiki.",
  french: "La sœur de Benoît garde la clé du café.",
};
const OTHERS = Array.from(
  { length: 30 },
  (_, i) => `Die ${i}. Notiz: was war, will wer wissen. 第${i}件の事です。没有什么事。`,
);

beforeAll(async () => {
  await memories.bulk([...Object.values(NOTES), ...OTHERS].map((content) => ({ content })));
  for (const [doc_id, summary] of Object.entries(NOTES)) await documents.put("notes", doc_id, { summary });
  for (const [i, summary] of OTHERS.entries()) await documents.put("notes", `other-${i}`, { summary });
});

describe.each<readonly [what: string, query: string, note: keyof typeof NOTES]>([
  ["a word within a Chinese run", "数据库", "chinese"],
  ["a Chinese question", "新加坡的机房有什么？", "chinese"],
  ["a word within a Japanese run", "請求書", "japanese"],
  ["a Japanese question", "佐藤さんは何を送りますか", "japanese"],
  ["one letter within a run", "坡", "chinese"],
  ["one letter at the end of a run", "机", "chinese"],
  ["a word within a Thai run", "พฤหัสบดี", "thai"],
  ["a Korean word without its particle", "서버", "korean"],
  ["a German question of German stop words", "Was kostet die Rechnung, und wer will die an das Büro?", "german"],
  ["a German word with ss for ß", "HAUPTSTRASSE", "german"],
  ["a word without its accents", "jurgen", "german"],
  ["a French word with oe for œ", "soeur", "french"],
  ["a French question without accents", "qui a la cle du cafe ?", "french"],
])("%s", (_, query, note) => {
  test("finds the memory by its words", async () => {
    const reply = await memories.search(query, { top_k: 3 });
    const found = reply.items.find(({ content }) => content === NOTES[note]);
    expect(found?.score_parts?.fts_score).toBeGreaterThan(0);
  });

  test("finds the document by its words", async () => {
    expect(docIdsOf((await documents.search(query, { top_k: 3 })).results)).toContain(note);
  });
});
