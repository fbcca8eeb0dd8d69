import { describe, expect, test } from "bun:test";
import { comparePair } from "../../../src/conflicts/compare.ts";
import type { PairSignals, Verdict } from "../../../src/conflicts/verdict.ts";
import { NOTES } from "./notes.ts";
import { CLASHES, PAIRS, type Pair, PEACEFUL } from "./pairs.ts";

const WRITTEN_MS = Date.UTC(2025, 5, 2, 9);
const DAY_MS = 86_400_000;
const RULES_ALONE: PairSignals = { judge: null, cosine: null, shared_entities: 0 };

function verdictOf(older: string, newer: string, { signals = RULES_ALONE, later_ms = 5 } = {}): Verdict | null {
  const statement = (text: string, at_ms: number) => ({ text, claims: [], at_ms });
  return comparePair(statement(older, WRITTEN_MS), statement(newer, WRITTEN_MS + later_ms), signals);
}

describe("by rules alone", () => {
  test.each(PEACEFUL)("'%s' and '%s' go together", (older, newer) => {
    expect(verdictOf(older, newer)).toBeNull();
  });

  test("nine in ten plain clashes are found", () => {
    const missed = CLASHES.filter(([older, newer]) => verdictOf(older, newer) === null);
    expect(missed.length / CLASHES.length).toBeLessThan(0.1);
  });

  test("of clashes told in other words, few are found, but hardly a pair is flagged that goes together", () => {
    const flagged = NOTES.filter(([older, newer]) => verdictOf(older, newer) !== null);
    const right = flagged.filter(([, , expected]) => expected !== null);
    expect(right.length / NOTES.filter(([, , expected]) => expected !== null).length).toBeGreaterThan(0.4);
    expect(right.length / flagged.length).toBeGreaterThan(0.9);
  });

  test("what the newer text says has moved on makes the older one outdated", () => {
    const wrong = PAIRS.filter(([older, newer, expected]: Pair) => {
      const verdict = verdictOf(older, newer);
      return verdict !== null && (expected === "outdated" || expected === "conflicted") && verdict.status !== expected;
    });
    expect(wrong.length).toBeLessThanOrEqual(3);
  });
});

describe("each rule", () => {
  test.each([
    ["The harbour depot has 12 rooms.", "There are 9 cold rooms in the harbour depot.", "value"],
    ["Session tokens expire after 30 minutes.", "Session tokens expire after 2 hours.", "value"],
    ["The release is planned for 3 May.", "The release slipped to 17 May.", "value"],
    ["Gate: level 3", "Gate: level 4", "value"],
    ["The article is still a draft.", "The article has been published.", "state"],
    ["The repository is private.", "The repository is public.", "opposite"],
    ["The vendor is reliable.", "The vendor is unreliable.", "opposite"],
    ["The front door is painted red.", "The front door is painted blue.", "kind"],
    ["The lift works.", "The lift doesn't work.", "negation"],
    ["The cabin has no heating.", "The cabin has heating.", "negation"],
    ["Anna lives in Oslo.", "Anna moved to Bergen in March.", "slot"],
    ["Mei prefers tea to coffee.", "Mei prefers coffee to tea.", "slot"],
    ["Kofi leads the payments team.", "The payments team is led by Aylin since Monday.", "holder"],
    ["Priya drives a Volvo.", "Priya sold the Volvo.", "ended"],
    ["The team uses Trello for planning.", "The team switched from Trello to Linear.", "replaced"],
    ["Parcels go by truck.", "Parcels go by train rather than by truck.", "replaced"],
    ["We will visit Crete in July.", "The trip to Crete in July is cancelled.", "withdrawn"],
    ["Mei is the only one with a key to the lab.", "Tomas has a key to the lab as well.", "exclusive"],
    ["Nobody waters the plants in the lobby.", "Joel waters the plants in the lobby.", "exclusive"],
  ])("'%s' / '%s': %s", (older, newer, rule) => {
    const verdict = verdictOf(older, newer);
    expect(verdict?.rule).toBe(rule);
    expect(verdict?.confidence).toBeGreaterThan(0.6);
  });
});

describe("nothing follows", () => {
  test.each([
    ["another environment", "In staging the cache is on.", "In production the cache is off."],
    ["another number of the kind", "Ticket 4711 is open.", "Ticket 4712 is closed."],
    ["another code", "HX-77 is open.", "HX-78 is closed."],
    ["a relative", "Mei is sixty.", "Mei's brother is fifty."],
    ["who speaks and who is spoken of", "My editor of choice is Emacs.", "Tom's editor of choice is Vim."],
    ["another thing of the same measure", "The box has 4 kg of flour.", "The box has 2 kg of sugar."],
    ["a condition", "The router is on.", "If the router is off, press the button."],
    ["a question", "The office is in Leeds.", "Is the office in York?"],
    ["hearsay", "The office is in Leeds.", "Somebody said that the office is in York."],
    ["a plan", "The office is in Leeds.", "The office will be in York."],
    ["what was before", "The tower is white.", "The tower was red in 1998."],
    ["an exception", "The shop is closed on Mondays.", "Just for today, the shop is open."],
    ["another one of many", "The app supports French.", "The app also supports Dutch."],
    ["a closer place", "Lucas lives in Portugal.", "Lucas lives in Braga."],
    ["a denial of something else", "The stand-up is at 9:30.", "The stand-up is not at 11:00."],
    ["a denial of a wrong word", "The fee is 20 euros.", "The note saying that the fee is 30 euros is out of date."],
    ["two denials", "Tamsin quit smoking.", "Tamsin doesn't smoke any more."],
    ["a value set aside", "The estimate is 17 points.", "The estimate is 17 points, not 20."],
    ["two happenings", "The plane took off at 8.", "The plane landed at 11."],
  ])("from %s", (_, older, newer) => {
    expect(verdictOf(older, newer)).toBeNull();
  });
});

test("a clash without a word of change is conflicted within a day and outdated after it", () => {
  const [older, newer] = ["The museum opens at 9:00.", "The museum opens at 10:00."];
  expect(verdictOf(older, newer)?.status).toBe("conflicted");
  expect(verdictOf(older, newer, { later_ms: 2 * DAY_MS })?.status).toBe("outdated");
});

test("the spans are the pieces that clash", () => {
  const [older, newer] = ["The flat has two bedrooms.", "As of May, the flat has three bedrooms."];
  const verdict = verdictOf(older, newer);
  expect(verdict && older.slice(verdict.older_span.start, verdict.older_span.end)).toBe("two");
  expect(verdict && newer.slice(verdict.newer_span.start, verdict.newer_span.end)).toBe("three");
});

describe("the judge", () => {
  const judged = (judge: number) => ({ signals: { ...RULES_ALONE, judge } });
  const [older, newer] = ["Selin can't swim.", "Selin swam two kilometres across the lake on Sunday."];

  test("flags what no rule sees, where it is sure", () => {
    expect(verdictOf(older, newer)).toBeNull();
    expect(verdictOf(older, newer, judged(0.97))?.rule).toBe("judge");
    expect(verdictOf(older, newer, judged(0.4))).toBeNull();
  });

  test.each([
    ["The film lasts 90 minutes.", "The film is an hour and a half long."],
    ["Marta declined the offer.", "The offer was turned down by Marta."],
    ["Order 20931 was refunded.", "Order 20913 has not been refunded."],
    ["The bridge is safe.", "An anonymous letter claims the bridge is not safe."],
    ["The shop opens in the morning.", "The shop opens at 8 am."],
  ])("is overruled on '%s' and '%s'", (one, other) => {
    expect(verdictOf(one, other, judged(0.99))).toBeNull();
  });

  test("lends a rule its own confidence, and takes it away where it sees no clash at all", () => {
    const [plain, clash] = ["The bridge is 312 metres long.", "The bridge is 420 m long."];
    const [alone, sure] = [verdictOf(plain, clash), verdictOf(plain, clash, judged(0.9))];
    expect([alone?.rule, sure?.rule]).toEqual(["value", "value"]);
    expect(sure?.confidence).toBeGreaterThan(alone?.confidence ?? 1);
    expect(verdictOf(plain, clash, judged(0.05))).toBeNull();
  });
});
