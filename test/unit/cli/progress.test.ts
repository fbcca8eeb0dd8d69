import { expect, test } from "bun:test";
import { progressLine } from "../../../src/cli/progress.ts";

const shown = (isTerminal: boolean): string[] => {
  const lines: string[] = [];
  const line = progressLine("check", isTerminal, (text) => lines.push(text));
  for (const [done, now] of [
    [0, "data file"],
    [1, "data file"],
    [3, "entities"],
    [4, ""],
  ] as const)
    line.show({ done, total: 4, now });
  line.end();
  return lines;
};

test("a terminal has one line that advances and is gone at the end", () => {
  expect(shown(true).join("")).toBe(
    "\r\x1b[Kcheck 0 %  data file\r\x1b[Kcheck 25 %  data file\r\x1b[Kcheck 75 %  entities\r\x1b[K",
  );
});

test("a pipe gets a line for each thing that is begun", () => {
  expect(shown(false)).toEqual(["check: data file (0 of 4 steps)\n", "check: entities (3 of 4 steps)\n"]);
});
