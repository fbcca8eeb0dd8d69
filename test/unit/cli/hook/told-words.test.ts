import { expect, test } from "bun:test";
import type { Weight } from "../../../../src/cli/hook/told/words.ts";
import { hasherOf, isEnough, marksOf, piecesOf, tellingMarks } from "../../../../src/cli/hook/told/words.ts";

const marksIn = (text: string) => Object.fromEntries([...piecesOf(text)].flatMap((piece) => marksOf(piece)));

test.each<[string, Record<string, Weight>]>([
  ["port 8443", { "=8443": "strong" }],
  ["see src/cli/hook/run.ts.", { "=src/cli/hook/run.ts": "strong", "=run.ts": "strong", "~hook": "plain" }],
  ["set MAX_WAIT, then retryLimit", { "=max_wait": "strong", "=retrylimit": "strong", "~retrylimit": "plain" }],
  ["the herons of Savitzky", { "~heron": "plain", "~savitzki": "plain" }],
  // What anybody writes.
  ["We will find all the files in 2026, the 2nd or 3 of them, e.g. and/or here", {}],
  ["return the server response and merge the branch", {}],
  ["灯塔", { "~灯塔": "plain" }],
  ["", {}],
])("%j marks %j", (text, marks) => expect(marksIn(text)).toEqual(marks));

test("a note is told by its strongest marks that the prompt does not hold, twelve at most", () => {
  const note = "The heron lighthouse importer of Savitzky listens on 8443.";
  expect(tellingMarks(note, "Where is the lighthouse importer?")).toEqual(["=8443", "~savitzki", "~heron"]);
  expect(tellingMarks(note, note)).toEqual([]);
  expect(tellingMarks(Array.from({ length: 40 }, (_, i) => `zephyr${i}00`).join(" "), "")).toHaveLength(12);
});

test("a note with one word alone that tells it is not watched", () => {
  expect(tellingMarks("We like the heron.", "")).toEqual([]);
  expect([isEnough(["plain"]), isEnough(["plain", "plain"]), isEnough(["strong"]), isEnough([])]).toEqual([
    ...[false, true, true, false],
  ]);
});

test("marks are hashed in a way of the session's own", () => {
  expect(hasherOf("a")("~heron")).toMatch(/^[0-9a-f]{12}$/);
  expect(hasherOf("a")("~heron")).not.toBe(hasherOf("b")("~heron"));
});

test.each([
  "a".repeat(256 * 1024),
  "a-".repeat(128 * 1024),
  "_.".repeat(128 * 1024),
  `${"aB".repeat(64 * 1024)}/`.repeat(2),
])("a quarter of a megabyte is read in time in proportion to it: %.4p", (text) => {
  const started = performance.now();
  for (const piece of piecesOf(text)) marksOf(piece);
  expect(performance.now() - started).toBeLessThan(1_000);
});
