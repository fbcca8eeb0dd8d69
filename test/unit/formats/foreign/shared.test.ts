import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { characterCount } from "../../../../src/core/kernel/text.ts";
import { CONTENT_MAX, CONTENT_MIN } from "../../../../src/core/schema/memory.ts";
import { frontMatterOf } from "../../../../src/formats/foreign/front-matter.ts";
import { contentsOf } from "../../../../src/formats/foreign/shared/contents.ts";
import { memoryLines } from "../../../../src/formats/foreign/shared/memory.ts";
import { keyPaths } from "../../../../src/formats/foreign/shared/shape.ts";
import { timestampOf } from "../../../../src/formats/foreign/shared/times.ts";

describe("a long text", () => {
  const sentence = "The lighthouse keeper wrote down the weather of each day. ";

  test("is cut at borders of sentences, each part with the subject, nothing lost", () => {
    const text = sentence.repeat(600).trim();
    const parts = contentsOf(text, "Log");
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part).toStartWith("Log: The lighthouse");
      expect(part).toEndWith("each day.");
      expect(characterCount(part)).toBeLessThanOrEqual(CONTENT_MAX);
    }
    expect(parts.map((part) => part.slice("Log: ".length)).join(" ")).toBe(text);
  });

  test("has parts that memories can have, whatever it is made of", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom(". ", "\n\n", "🦊", "a", " "),
    );
    fc.assert(
      fc.property(
        piece,
        fc.integer({ min: 1, max: 30_000 }),
        piece,
        fc.option(fc.constant("A subject")),
        (one, times, tail, subject) => {
          const text = (one.repeat(times).slice(0, 60_000) + tail).toWellFormed().trim();
          fc.pre(characterCount(text) >= CONTENT_MIN);
          const parts = contentsOf(text, subject);
          const letters = (from: string) => from.replace(/\s+/g, "");
          const said = parts.map((part) =>
            subject && !text.startsWith(subject) ? part.slice(subject.length + 2) : part,
          );
          expect(letters(said.join(""))).toBe(letters(text));
          for (const part of parts) {
            expect(part.isWellFormed()).toBe(true);
            expect(characterCount(part)).toBeLessThanOrEqual(CONTENT_MAX);
            expect(characterCount(part)).toBeGreaterThanOrEqual(CONTENT_MIN);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("becomes memories that are numbered", () => {
    const place = { file: "f", line: 1 };
    const read = memoryLines(place, { tool: "t", id: ["1"], text: sentence.repeat(300) });
    expect(read.map((line) => "record" in line && "metadata" in line.record && line.record.metadata)).toEqual([
      { imported_from: { format: "t", part: 1, parts: 2 } },
      { imported_from: { format: "t", part: 2, parts: 2 } },
    ]);
  });
});

test("what cannot be stored is taken out of texts, tags and titles are cut", () => {
  const [line] = memoryLines(
    { file: "f", line: 1 },
    {
      tool: "t",
      id: ["1"],
      text: "A\0 statement \ud800 here",
      title: "x".repeat(900),
      tags: [" a ", "a", "", "b".repeat(300)],
    },
  );
  expect(line).toMatchObject({
    record: { content: "A statement \ufffd here", title: "x".repeat(500), tags: ["a", "b".repeat(100)] },
  });
});

test.each([
  ['{"a": {"b": 1, "c": [{"d": 1}]}, "e": 2}', ["a", "a.b", "a.c", "a.c[].d", "e"]],
  ['[{"a": "{\\"x\\": [}"}, {"b": [{"c": {"too deep": {"x": 1}}}]}]', ["[].a", "[].b", "[].b[].c"]],
  ['{"a": 1}\n{"b": 2}', ["a"]],
  ['{"a": "cut off {\\"b', ["a"]],
  ["", []],
  [']]}} "', []],
])("key paths of %s", (text, paths) => {
  expect([...keyPaths(text)]).toEqual(paths);
});

test.each([
  ["2026-02-03T10:00:00.123456-08:00", "2026-02-03T18:00:00.123Z"],
  ["2026-02-03 10:00:00", "2026-02-03T10:00:00.000Z"],
  ["2026-02-03", "2026-02-03T00:00:00.000Z"],
  [1_767_261_600.25, "2026-01-01T10:00:00.250Z"],
  ["yesterday", null],
  [-1, null],
  [1e15, null],
  [Number.NaN, null],
  [null, null],
])("the date %p", (written, expected) => {
  expect(timestampOf(written)).toBe(expected);
});

test.each([
  ["---\ntitle: A\n---\nBody", { front_matter: { title: "A" }, fault: null, body: "Body", line: 4 }],
  ["\ufeff---\r\ntitle: A\r\n---\r\nBody", { front_matter: { title: "A" }, fault: null, body: "Body", line: 4 }],
  ["---\n---\nBody", { front_matter: {}, fault: null, body: "Body", line: 3 }],
  ["Body\n---\na: b\n---\n", { front_matter: {}, fault: null, body: "Body\n---\na: b\n---\n", line: 1 }],
  ["---\nnever closed", { front_matter: {}, fault: null, body: "---\nnever closed", line: 1 }],
  ["---\n- a\n---\n", { front_matter: {}, fault: "Its front matter has no names.", body: "", line: 4 }],
])("front matter of %j", (text, expected) => {
  expect(frontMatterOf(text)).toEqual(expected);
});
