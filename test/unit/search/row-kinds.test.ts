import { expect, test } from "bun:test";
import type { Hit } from "../../../src/core/ports/hits.ts";
import { kindsOf } from "../../../src/search/row-kinds.ts";
import { aRow } from "../../support/builders.ts";

const hit = (content: string, run_id: string | null = "run"): Hit => ({
  memory: aRow({ content, run_id }),
  vec_sim: null,
  context_sim: null,
  own_words: 0,
  near_words: 0,
  opens_run: false,
  legs: [],
});
const kinds = (hits: readonly Hit[]) => hits.map(kindsOf(hits));

test("where everybody in a run begins with a name, rows are turns, but for long ones", () => {
  const talk = [
    hit("Ann: hello there"),
    hit("Ben: hello yourself"),
    hit("Ann: so it is"),
    hit(`Ben: ${"long ".repeat(120)}`),
  ];
  expect(kinds(talk)).toEqual(["turn", "turn", "turn", "text"]);
});

test("a note that begins with a word and a colon is no turn among other notes, nor without a run", () => {
  const notes = [
    hit("Staging: port 8080"),
    hit("The port of production is 80."),
    hit("We deploy on Tuesdays."),
    hit("No pnpm."),
  ];
  expect(kinds(notes)).toEqual(["statement", "statement", "statement", "statement"]);
  expect(kinds([hit("Ann: hello there", null), hit("Ben: hello", null), hit("Ann: so", null)])).not.toContain("turn");
});

test("a row that was embedded without the one before it is a note behind a note, unless it opens its run", () => {
  const read = (content: string, also: Partial<Hit> = {}) => ({ ...hit(content), vec_sim: 0.8, ...also });
  const talk = [read("Ann: hello there", { opens_run: true }), read("Ben: hello yourself", { context_sim: 0.8 })];
  expect(kinds([...talk, read("Staging: port 8080")])).toEqual(["turn", "turn", "statement"]);
});

test("a single row of a run is what everything that was found is", () => {
  const others = ["one", "two", "three"].map((run) => hit("Ann: hello there", run));
  expect(kinds([...others, hit("Ben: well, well", "four")])).toEqual(["turn", "turn", "turn", "turn"]);
  expect(kinds([hit("Staging: port 8080", "one"), hit("A note of another run.", "two")])).toEqual([
    "statement",
    "statement",
  ]);
});

test("a row of several statements is a text", () => {
  expect(kinds([hit("A statement. ".repeat(40), null)])).toEqual(["text"]);
});
