import { expect, test } from "bun:test";
import fc from "fast-check";
import type { HookBlock } from "../../../../src/cli/hook/compose.ts";
import { fitting, itemsOf, render, without } from "../../../../src/cli/hook/compose.ts";

const items = (...lines: string[]) => lines.map((line) => ({ key: line, line }));
const PARTS: readonly HookBlock[] = [
  {
    open: "<a>",
    close: "</a>",
    sections: [{ head: "Rules:", items: items("- r1", "- r2", "- r3"), more: (left) => `- and ${left} more` }],
  },
  {
    open: "<b>",
    close: "</b>",
    sections: [{ head: "One:", items: items("- x", "- y") }],
    tail: { key: "t", line: "end" },
  },
];
const all = () => true;

test("with room for all, all is told in order", () => {
  expect(render(fitting(PARTS, 1_000, all))).toBe(
    "<a>\nRules:\n- r1\n- r2\n- r3\n</a>\n<b>\nOne:\n- x\n- y\nend\n</b>",
  );
});

test("what does not fit is counted where a section counts", () => {
  expect(render(fitting(PARTS.slice(0, 1), 37, all))).toBe("<a>\nRules:\n- r1\n- and 2 more\n</a>");
});

test("a part that was told is left out with its frame, and so is an empty section", () => {
  const isNew = ({ key }: { readonly key: string }) => ["- y", "t"].includes(key);
  expect(render(fitting(PARTS, 1_000, isNew))).toBe("<b>\nOne:\n- y\nend\n</b>");
  expect(render(fitting(PARTS, 1_000, () => false))).toBe("");
});

test("what another told meanwhile is taken out again", () => {
  const told = ["- r2", "- x", "- y", "t"];
  const rest = without(fitting(PARTS, 1_000, all), (key) => told.includes(key));
  expect(render(rest)).toBe("<a>\nRules:\n- r1\n- r3\n</a>");
});

test("no budget is ever overrun, and no item is told that is not counted as told", () => {
  const line = fc.string({ minLength: 1, maxLength: 60 }).map((text) => text.replace(/\s/g, "_"));
  const section = fc.record({
    head: line,
    items: fc.array(line, { maxLength: 8 }).map((lines) => items(...lines)),
    more: fc.constantFrom(undefined, (left: number) => `and ${left}`),
  });
  const part = fc.record({
    sections: fc.array(section, { maxLength: 3 }),
    tail: fc.option(
      line.map((text) => ({ key: text, line: text })),
      { nil: undefined },
    ),
    room: fc.option(fc.nat(300), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3 }), fc.nat(600), (drawn, budget) => {
      const parts = drawn.map(({ sections, tail, room }) => ({
        open: "<p>",
        close: "</p>",
        sections: sections.map(({ more, ...rest }) => ({ ...rest, ...(more ? { more } : {}) })),
        ...(tail ? { tail } : {}),
        ...(room === undefined ? {} : { room }),
      }));
      const chosen = fitting(parts, budget, all);
      expect(render(chosen).length).toBeLessThanOrEqual(budget);
      const told = new Set(itemsOf(chosen).map(({ line: text }) => text));
      const known = new Set(
        parts
          .flatMap(({ sections, tail }) => [...sections.flatMap((s) => s.items), ...(tail ? [tail] : [])])
          .map((i) => i.line),
      );
      for (const text of told) expect(known.has(text)).toBe(true);
    }),
  );
});
