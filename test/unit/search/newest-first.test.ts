import { describe, expect, test } from "bun:test";
import { isShortStatement, supersededByNewest } from "../../../src/search/newest-first.ts";
import { readQuestion } from "../../../src/search/question.ts";
import { rankHits, scoreHits } from "../../../src/search/rank.ts";
import { aRow, aVector } from "../../support/builders.ts";
import { CALIBRATION } from "../../support/calibration.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

/** Three rows as they are found for a question: an old value, its new one a little lower, and something else. */
function found(
  query: string,
  fields: { readonly apart?: number; readonly content?: string; readonly behind?: number } = {},
) {
  const { apart = 5, content = "The limit is 20.", behind = 0.02 } = fields;
  const run = content.includes(":") ? { run_id: "run" } : {};
  const hit = (day: string, vec_sim: number) => ({
    memory: aRow({
      content,
      ts_valid_start: `2026-0${day}T00:00:00.000Z`,
      created_at: "2026-06-01T00:00:00.000Z",
      ...run,
    }),
    vec_sim,
    context_sim: null,
    own_words: 0,
    near_words: 0,
    opens_run: true,
    legs: [],
  });
  const [old, fresh, other] = [hit("1-05", 0.6), hit("3-05", 0.6 - behind), hit("2-05", 0.3)];
  const question = readQuestion(query, NOW);
  const ranking = { question, now: NOW, calibration: CALIBRATION };
  const weighed = scoreHits({ hits: [old, fresh, other], words: [] }, ranking);
  const all = new Map([
    [old.memory.id, aVector(0)],
    [fresh.memory.id, aVector(apart)],
    [other.memory.id, aVector(90)],
  ]);
  const told = new Set(weighed.filter(isShortStatement).map((one) => one.hit.memory.id));
  const vectors = new Map([...all].filter(([id]) => told.has(id)));
  const asked = { likeness: { calibration: CALIBRATION, vectors }, asks_past: question.asks_past, now: NOW };
  const lost = supersededByNewest(weighed, asked);
  const losses = new Map(weighed.map(({ hit: { memory } }, i) => [memory.id, lost[i] ?? 0]));
  const ranked = rankHits(weighed, [], { losses });
  const names = new Map<unknown, string>([
    [old, "old"],
    [fresh, "new"],
    [other, "other"],
  ]);
  return ranked.map((one) => ({ name: names.get(one.hit), why: one.why, score: one.score }));
}
const order = (...asked: Parameters<typeof found>) => found(...asked).map(({ name }) => name);

describe("of rows that say the same of the same", () => {
  test("the newest is first, and the others say why they are not", () => {
    const ranked = found("what is the limit?");
    expect(ranked.map(({ name }) => name)).toEqual(["new", "old", "other"]);
    expect(ranked[1]?.why).toContain("same of the same");
    expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  test.each(["what was the limit?", "what was the limit before?", "the original limit"])(
    "the oldest is first when a question asks for what was: %s",
    (query) => {
      expect(order(query)).toEqual(["old", "new", "other"]);
    },
  );

  test("order is that of their evidence where they say different things, or one answers much worse", () => {
    expect(order("what is the limit?", { apart: 85 })).toEqual(["old", "new", "other"]);
    expect(order("what is the limit?", { behind: 0.25 })).toEqual(["old", "new", "other"]);
  });

  test("so do questions and long rows, which say several things", () => {
    expect(order("what is the limit?", { content: "Is the limit 20?" })).toEqual(["old", "new", "other"]);
    expect(order("what is the limit?", { content: "The limit is 20. ".repeat(20) })).toEqual(["old", "new", "other"]);
  });

  test("turns of a conversation keep theirs", () => {
    expect(order("what is the limit?", { content: "Ann: the limit is 20." })).toEqual(["old", "new", "other"]);
  });
});
