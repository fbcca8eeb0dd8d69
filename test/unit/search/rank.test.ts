import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Hit, WeighedWord } from "../../../src/core/ports/hits.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { readQuestion } from "../../../src/search/question.ts";
import type { RankedHit } from "../../../src/search/rank.ts";
import { rankHits, scoreHits } from "../../../src/search/rank.ts";
import { weightOf } from "../../../src/search/signals.ts";
import { WEIGHTS } from "../../../src/search/weights.ts";
import { aRow } from "../../support/builders.ts";
import { CALIBRATION } from "../../support/calibration.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const WORDS: readonly WeighedWord[] = [
  { word: "deploy", weight: 5, rows: 3 },
  { word: "service", weight: 2, rows: 40 },
  { word: "absent", weight: 0, rows: 0 },
];

const hit = (row: Partial<StoredMemory> = {}, signals: Partial<Hit> = {}): Hit => ({
  memory: aRow({ created_at: "2026-06-01T00:00:00.000Z", ...row }),
  vec_sim: 0.5,
  context_sim: null,
  own_words: 0,
  near_words: 0,
  opens_run: false,
  legs: ["vector"],
  ...signals,
});

const rank = (hits: readonly Hit[], query = "deploy service", now = NOW): RankedHit[] =>
  rankHits(
    scoreHits({ hits, words: WORDS }, { question: readQuestion(query, now), now, calibration: CALIBRATION }),
    WORDS,
  );
const scoreOf = (one: Hit, query?: string): number => rank([one], query)[0]?.score ?? Number.NaN;
/** The first of two hits in the ranking of both. */
const winner = (one: Hit, other: Hit, query?: string): Hit | undefined => rank([one, other], query)[0]?.hit;

test("what the signals, the run and the loss come to, with what a row of its kind begins with, is the evidence", () => {
  const run = { run_id: "run" };
  const hits = [
    hit({ ...run, content: "Deploys run on Friday." }, { own_words: 0b001 }),
    hit({ ...run, content: "The canteen closes at two." }, { vec_sim: 0.1 }),
  ];
  const [best, other] = hits.map(({ memory }) => memory.id);
  const ranking = { question: readQuestion("deploy service", NOW), now: NOW, calibration: CALIBRATION };
  const weighed = scoreHits({ hits, words: WORDS }, ranking);
  for (const { hit: of, shares, pull, loss, total } of rankHits(weighed, WORDS, {
    losses: new Map([[best ?? "", 1]]),
  })) {
    const sum = Object.values(shares).reduce((all, nats) => all + nats, WEIGHTS.bias.statement);
    expect(sum + pull - loss).toBeCloseTo(total, 9);
    expect([loss, pull > 0]).toEqual(of.memory.id === other ? [0, true] : [1, false]);
  }
});

describe("a score", () => {
  test("lies between 0 and 1 and orders the hits", () => {
    const hits = [0.9, -0.2, 0.4, 1, 0].map((vec_sim) => hit({}, { vec_sim }));
    const scores = rank(hits).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score).toBeWithin(0, 1);
  });

  test("never falls when the row is nearer in meaning, whatever else is true of it", () => {
    const signals = fc.record({
      own_words: fc.integer({ min: 0, max: 7 }),
      near_words: fc.integer({ min: 0, max: 7 }),
      opens_run: fc.boolean(),
      context_sim: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    });
    const row = fc.record({
      run_id: fc.option(fc.constant("run")),
      status: fc.constantFrom("active" as const, "conflicted" as const),
      content: fc.constantFrom("Anna: short?", "A row that stands alone.", "long ".repeat(150)),
    });
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(row, signals, cosine, cosine, (fields, extra, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const memory = aRow(fields);
        const at = (vec_sim: number) => scoreOf({ ...hit(), ...extra, memory, vec_sim });
        expect(at(high)).toBeGreaterThanOrEqual(at(low));
      }),
    );
  });

  test("is the higher the more, and the rarer, words of the query the row holds", () => {
    const scores = [0b000, 0b010, 0b001, 0b011].map((own_words) => scoreOf(hit({}, { own_words })));
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(4);
    expect(scoreOf(hit({}, { own_words: 0b100 }))).toBe(scores[0] ?? Number.NaN);
  });

  test("knows nothing of how often a row was recalled", () => {
    const row = hit();
    const recalled = {
      ...row,
      memory: { ...row.memory, recall_count: 1_000, last_recalled_at: "2026-06-14T00:00:00.000Z" },
    };
    expect(rank([recalled])[0]?.score).toBe(scoreOf(row));
    expect(rank([recalled])[0]?.parts.recall_boost).toBe(0);
  });

  test("of a row whose vector is pending is that of a usual find, not that of none", () => {
    const pending = scoreOf(hit({}, { vec_sim: null, own_words: 1, legs: ["keyword"] }));
    expect(pending).toBeGreaterThan(scoreOf(hit({}, { vec_sim: -0.5, own_words: 1 })));
    expect(pending).toBeLessThan(scoreOf(hit({}, { vec_sim: 0.9, own_words: 1 })));
  });

  test("is a little higher for a fresher row, and no row of the future is fresher than now", () => {
    const [fresh, old] = [
      hit({ created_at: "2026-06-14T00:00:00.000Z" }),
      hit({ created_at: "2020-01-01T00:00:00.000Z" }),
    ];
    expect(winner(old, fresh)).toBe(fresh);
    expect(winner(hit({}, { vec_sim: 0.6 }), { ...fresh, vec_sim: 0.5 })?.vec_sim).toBe(0.6);
    const future = hit({ created_at: "2030-01-01T00:00:00.000Z" });
    expect(rank([future])[0]?.parts.freshness).toBe(1);
  });

  test("fades at the pace of the row's type", () => {
    const [task, preference] = (["task", "preference"] as const).map((memory_type) => hit({ memory_type }));
    const freshness = rank([task, preference].flatMap((one) => one ?? [])).map(({ hit: { memory }, parts }) => [
      memory.memory_type,
      parts.freshness,
    ]);
    expect(freshness.map(([type]) => type)).toEqual(["preference", "task"]);
  });

  test("is lower in an open conflict", () => {
    const [sound, conflicted] = [hit(), hit({ status: "conflicted" })];
    expect(winner(conflicted, sound)).toBe(sound);
    expect(rank([conflicted])[0]?.parts.status_penalty).toBeLessThan(0);
  });
});

describe("what the query names draws up", () => {
  test("what its speaker says", () => {
    const [anna, karl] = [hit({ content: "Anna: I moved to Lisbon." }), hit({ content: "Karl: I moved to Lisbon." })];
    expect(winner(karl, anna, "Where did Anna move?")).toBe(anna);
    expect(rank([anna], "Where did Anna move?")[0]?.parts.entity_boost).toBeGreaterThan(0);
    expect(rank([anna], "Where did she move?")[0]?.parts.entity_boost).toBe(0);
  });

  test("a row that speaks of a time, when it asks for one", () => {
    const [timed, plain] = [hit({ content: "It failed on Monday." }), hit({ content: "It failed on host b." })];
    expect(winner(plain, timed, "When did it fail?")).toBe(timed);
  });

  test("a row of the month or day it names", () => {
    const [june, may] = [hit(), hit({ created_at: "2026-05-20T00:00:00.000Z" })];
    expect(winner(june, may, "the deploy in May")).toBe(may);
    const held = hit({ ts_valid_start: "2025-05-02T00:00:00.000Z", created_at: "2026-06-10T00:00:00.000Z" });
    expect(winner(june, held, "the deploy of May 2 2025")).toBe(held);
    const [day, month, otherDay, otherYear, otherMonth] = [
      "May 2 2025",
      "May 2025",
      "May 20 2025",
      "May 2 2024",
      "June 2025",
    ].map((date) => rank([held], `the deploy of ${date}`)[0]?.parts.temporal_boost ?? Number.NaN);
    expect(day ?? 0).toBeGreaterThan(month ?? Number.NaN);
    expect(month ?? 0).toBeGreaterThan(otherDay ?? Number.NaN);
    expect([otherYear, otherMonth]).toEqual([0, expect.closeTo(0, 0)]);
  });
});

describe("rows of a run", () => {
  const turn = (content: string, signals: Partial<Hit> = {}) => hit({ run_id: "run", content }, signals);

  test("are drawn up by what stands beside them", () => {
    const [beside, alone] = [turn("Anna: Yes, it did.", { near_words: 0b1 }), turn("Anna: Yes, it does.")];
    expect(winner(alone, beside)).toBe(beside);
  });

  test("are drawn towards the best of their run, and say so", () => {
    const answer = turn("Karl: The deploy failed.", { vec_sim: 0.9, own_words: 1 });
    const [inRun, elsewhere] = [
      turn("Anna: Oh no, again.", { vec_sim: 0.4 }),
      hit({ run_id: "other", content: "Anna: Oh no, again." }, { vec_sim: 0.4 }),
    ];
    const ranked = rank([elsewhere, inRun, answer]);
    expect(ranked.map((one) => one.hit)).toEqual([answer, inRun, elsewhere]);
    expect(ranked[1]?.why).toContain("drawn up by its run");
  });

  test("that stand for themselves do not lean on others", () => {
    const long = "A long and self-contained account of it. ".repeat(30);
    const [beside, alone] = [turn(long, { near_words: 0b1 }), turn(long)];
    const [first, second] = rank([beside, alone]).map(({ score }) => score);
    expect((first ?? 1) - (second ?? 0)).toBeLessThan(0.01);
  });
});

test("equal evidence is ordered by id, newest first, every time the same", () => {
  const hits = Array.from({ length: 5 }, () => hit());
  const ids = (ranked: readonly RankedHit[]) => ranked.map(({ hit: { memory } }) => memory.id);
  expect(ids(rank(hits))).toEqual(ids(rank(hits.toReversed())));
  expect(ids(rank(hits))).toEqual(hits.map(({ memory }) => memory.id).toReversed());
});

test("every part is a number, and the reasons name the strongest", () => {
  const [ranked] = rank([hit({}, { own_words: 0b11 })]);
  expect(Object.values(ranked?.parts ?? {}).every(Number.isFinite)).toBe(true);
  expect(ranked?.parts).toMatchObject({ vec_sim: 0.5, fts_score: 1 });
  expect(ranked?.why).toMatch(/^close in meaning \(\+\d/);
});

test("no hits rank as none, and a set of bits weighs what its words do", () => {
  expect(rank([])).toEqual([]);
  expect([0b000, 0b001, 0b011, 0b111].map((bits) => weightOf(bits, WORDS))).toEqual([0, 5, 7, 7]);
});
