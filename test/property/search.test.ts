import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Hit, WeighedWord } from "../../src/core/ports/hits.ts";
import { BulkResult, MEMORY_TYPES } from "../../src/core/schema/memory.ts";
import { QUERY_MAX, RECALL_MIN_SCORE, RecallReply, SearchReply } from "../../src/core/schema/retrieval.ts";
import { readQuestion } from "../../src/search/question.ts";
import type { Ranking } from "../../src/search/rank.ts";
import { rankHits, scoreHits } from "../../src/search/rank.ts";
import { aRow } from "../support/builders.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";
import { nastyText } from "./nasty.ts";

const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
const RECALLS = 1_000;

const CONTENTS = [
  "Ann: the deployment to staging failed on Friday because the disk was full.",
  "Bob: who restarted the database after the outage in March?",
  "We decided to keep SQLite and not to move to Postgres.",
  "The quarterly report is due on 3 April 2026 and nobody has begun it.",
  "Cyd prefers tea without milk; coffee gives her a headache.",
  "Die Straße nach Zürich ist gesperrt, hieß es gestern im Büro.",
  "Москва слезам не верит, говорит пословица.",
  "会議は来週の月曜日に延期されました。",
  "القهوة في المطبخ بجانب النافذة.",
  "The build id is 7f3a-22b, see https://ci.example/build?id=7f3a for its log.",
];

let opened: InProcess;
/** The same rows, but nothing is ever found by meaning. */
let wordsOnly: InProcess;

const write = async ({ client, settle }: InProcess, contents: readonly string[]): Promise<string[]> => {
  const items = contents.map((content, i) => ({ content, run_id: `run ${i % 3}` }));
  const body = { tenant_id: "default", agent_id: "ann", items };
  const { results } = await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
  await settle();
  return results.map(({ id, status }) => (status === "created" ? (id ?? "") : ""));
};

beforeAll(async () => {
  opened = await openApp();
  const embedder = { ...hashEmbedder(), embed: () => Promise.reject(new Error("no meaning here")) };
  wordsOnly = await openApp({ embedder });
  await write(opened, CONTENTS);
  await write(wordsOnly, CONTENTS);
});
afterAll(async () => {
  await opened.app.stop();
  await wordsOnly.app.stop();
});

const ask = (query: string, fields: object = {}) => ({ body: { tenant_id: "default", query, ...fields } });

/** What FTS5 would read as syntax, between words of the rows and of nowhere. */
const syntax = fc
  .array(
    fc.constantFrom(
      ...'AND|OR|NOT|NEAR(a b, 3)|NEAR/2|"|\'|(|)|*|^|:|-|+|{|}|title:|content : x|"un closed|a*|^b|{a b}: c|;|--|%|_|\\|/'.split(
        "|",
      ),
      "disk",
      "Friday",
      "SQLite",
      "Москва",
      "会議",
      "القهوة",
      "7f3a-22b",
      "💥",
      "\u202eevil\u202c",
      "e\u0301te\u0301",
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((words) => fc.constantFrom(words.join(" "), words.join("")));

const isSearchable = (query: string) =>
  query.trim() !== "" && query.isWellFormed() && !query.includes("\0") && query.length <= QUERY_MAX;

test("any question is answered, best first, with scores from 0 to 1", async () => {
  const query = fc.oneof(syntax, nastyText, fc.string({ unit: "binary", maxLength: 200 })).filter(isSearchable);
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 20 }), async (text, top_k) => {
      const found = await opened.client.ok(SearchReply, "POST", "/api/v1/search", ask(text, { top_k }));
      const scores = found.items.map(({ score }) => score ?? -1);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
      expect(found.items.length).toBeLessThanOrEqual(top_k);
      const recalled = await opened.client.ok(RecallReply, "POST", "/api/v1/recall", ask(text, { top_k }));
      const isLikely = (found.items[0]?.score ?? 0) >= RECALL_MIN_SCORE;
      expect(recalled.memories.map(({ id }) => id)).toEqual(isLikely ? found.items.map(({ id }) => id) : []);
    }),
    { numRuns: 80 },
  );
});

test("a question of nothing but blanks is refused", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0", "\u3000"), minLength: 1 }),
      async (query) => {
        expect((await opened.client.call("POST", "/api/v1/search", ask(query))).status).toBe(400);
      },
    ),
    { numRuns: 30 },
  );
});

/** Letters of many scripts, those included that Unicode can write in more than one way. */
const letter = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ..."ßäöüéèñçøåđłİıſﬁﬂŉ²½№Ⅳ",
      ..."жщыёґΣσςάώ",
      ..."你好世界語",
      ..."カﾊﾟがㄱ한글",
      ..."ابتﷺפּאשׁ",
      ..."กำไहिन्दीक़",
      "e\u0301",
      "𝔘",
      "Ａ",
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0xa1, max: 0x2ffff })
      .map((code) => String.fromCodePoint(code))
      .filter((one) => /[\p{L}\p{N}]/u.test(one)),
  },
);
/** A word that no other row has: the number in it is drawn once. */
let drawn = 0;
const rareWord = fc
  .array(letter, { minLength: 1, maxLength: 6 })
  .map((letters) => `zq${(++drawn).toString(36)}x${letters.join("")}`);

const dressings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `"${word}"`,
  (word) => `(${word})*`,
  (word) => `NOT ${word} AND`,
  (word) => `what do we know about ${word}?`,
  (word) => `${word}${word.length > 0 ? "," : ""} and the disk`,
  (word) => word.normalize("NFD"),
  (word) => word.normalize("NFC"),
  (word) => `\u3000${word}\u200b`,
];

test("a rare word is found wherever a row holds it, however the question is dressed, without help of any model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rareWord, { minLength: 1, maxLength: 5 }), async (words) => {
      const ids = await write(
        wordsOnly,
        words.map((word, i) => `${CONTENTS[i]} Also remember ${word} for later.`),
      );
      for (const [i, word] of words.entries()) {
        for (const dress of dressings) {
          const { items } = await wordsOnly.client.ok(SearchReply, "POST", "/api/v1/search", ask(dress(word)));
          expect(items.map(({ id }) => id)).toContain(ids[i] ?? "");
        }
      }
    }),
    { numRuns: 15 },
  );
});

test(`recalling ${RECALLS} times changes neither what is found nor its order nor its scores`, async () => {
  const queries = ["who restarted the database", "tea or coffee", "Zürich", "disk full", "7f3a"];
  const look = async () => {
    const replies = queries.map((query) => opened.client.ok(SearchReply, "POST", "/api/v1/search", ask(query)));
    return (await Promise.all(replies)).map(({ items }) =>
      items.map(({ id, score, score_parts }) => ({ id, score, score_parts })),
    );
  };
  const before = await look();
  for (let i = 0; i < RECALLS; i++) {
    const fields = { caller_agent_id: "ann", top_k: 2 };
    const { recall_tracked } = await opened.client.ok(SearchReply, "POST", "/api/v1/search", ask("disk full", fields));
    expect(recall_tracked).toBe(true);
  }
  await opened.settle();
  const { items } = await opened.client.ok(SearchReply, "POST", "/api/v1/search", ask("disk full"));
  expect(items[0]?.recall_count).toBe(RECALLS); // Else the test would show nothing.
  expect(await look()).toEqual(before);
});

const NOW = Date.parse("2026-03-01T12:00:00Z");
const WORDS = 6;
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const bits = fc.nat({ max: 2 ** WORDS - 1 });
const hit: fc.Arbitrary<Hit> = fc
  .record({
    vec_sim: fc.option(cosine),
    context_sim: fc.option(cosine),
    own_words: bits,
    near_words: bits,
    opens_run: fc.boolean(),
    content: fc.constantFrom(...CONTENTS, "x".repeat(3_000)),
    run_id: fc.constantFrom(null, "one", "two"),
    memory_type: fc.constantFrom(...MEMORY_TYPES),
    status: fc.constantFrom("active", "conflicted", "pending"),
    ageMs: fc.integer({ min: -1_000, max: 400 * 86_400_000 }),
    recall_count: fc.nat(),
  })
  .map(({ vec_sim, context_sim, own_words, near_words, opens_run, ageMs, ...fields }) => ({
    memory: aRow({ ...fields, created_at: new Date(NOW - ageMs).toISOString() }),
    vec_sim,
    context_sim,
    own_words,
    near_words,
    opens_run,
    legs: [],
  }));
const ofWords = { minLength: WORDS, maxLength: WORDS };
const weights = fc.array(fc.double({ min: 0, max: 12, noNaN: true }), ofWords);
/** In how many rows a word is: one that a row holds alone may decide, whatever the others hold. */
const rows = fc.constantFrom(1, 2, 2, 3);
const question = fc.constantFrom(
  "when did ann restart the database in March?",
  "disk",
  "Bob",
  "2 April 2026",
  "what happened since last week?",
  "the latest on the disk",
);

interface Case {
  readonly hits: readonly Hit[];
  readonly words: readonly WeighedWord[];
  readonly ranking: Ranking;
}
const ranked: fc.Arbitrary<Case> = fc
  .record({ hits: fc.array(hit, { minLength: 1, maxLength: 8 }), weights, rows: fc.array(rows, ofWords), question })
  .map(({ hits, weights: all, rows: counts, question: text }) => ({
    hits,
    words: all.map((weight, i) => ({ word: `w${i}`, weight, rows: counts[i] ?? 1 })),
    ranking: { question: readQuestion(text, NOW), now: NOW, calibration: hashEmbedder().calibration },
  }));

const rankAll = ({ hits, words, ranking }: Case) => rankHits(scoreHits({ hits, words }, ranking), words);

/** The score of the first hit, when it is as given and when it is as changed. */
function scores({ hits, words, ranking }: Case, change: (first: Hit) => Hit): readonly [before: number, after: number] {
  const [first, ...others] = hits;
  if (!first) throw new Error("A case has at least one hit.");
  const scoreOf = (one: Hit) =>
    rankAll({ hits: [one, ...others], words, ranking }).find(({ hit: found }) => found === one)?.score ?? Number.NaN;
  return [scoreOf(first), scoreOf(change(first))];
}
/** Sums of many parts differ in their last digit. */
const ROUNDING = 1e-9;

test("a higher cosine never lowers a row's score", () => {
  fc.assert(
    fc.property(ranked, fc.double({ min: 0, max: 2, noNaN: true }), fc.boolean(), (one, by, own) => {
      const raised = (value: number | null) => (value === null ? null : Math.min(1, value + by));
      const [before, after] = scores(one, (first) => ({
        ...first,
        ...(own ? { vec_sim: raised(first.vec_sim) } : { context_sim: raised(first.context_sim) }),
      }));
      expect(after).toBeGreaterThanOrEqual(before - ROUNDING);
    }),
    { numRuns: 200 },
  );
});

test("one more word of the question, in the row or beside it, never lowers its score", () => {
  fc.assert(
    fc.property(ranked, bits, fc.boolean(), (one, more, own) => {
      const [before, after] = scores(one, (first) => ({
        ...first,
        ...(own ? { own_words: first.own_words | more } : { near_words: first.near_words | more }),
      }));
      expect(after).toBeGreaterThanOrEqual(before - ROUNDING);
    }),
    { numRuns: 200 },
  );
});

test("how often a row was recalled plays no part in its score", () => {
  fc.assert(
    fc.property(ranked, fc.nat(), (one, recall_count) => {
      const [before, after] = scores(one, (first) => ({ ...first, memory: { ...first.memory, recall_count } }));
      expect(after).toBe(before);
    }),
  );
});

test("ranking keeps every hit, puts the higher score first, and does not care for the order it was given", () => {
  fc.assert(
    fc.property(ranked, ({ hits, words, ranking }) => {
      const order = rankAll({ hits, words, ranking });
      const all = order.map(({ score }) => score);
      expect(all).toEqual(all.toSorted((a, b) => b - a));
      expect(order.map((one) => one.hit.memory.id).sort()).toEqual(hits.map(({ memory }) => memory.id).sort());
      const reversed = rankAll({ hits: hits.toReversed(), words, ranking });
      expect(reversed.map((one) => one.hit.memory.id)).toEqual(order.map((one) => one.hit.memory.id));
    }),
  );
});
