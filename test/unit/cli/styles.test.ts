import { expect, test } from "bun:test";
import { resolve } from "node:path";

const OUTPUT = resolve(import.meta.dir, "../../../src/cli/output.ts");
const PRINTING = `
  const { createOutput } = await import(${JSON.stringify(OUTPUT)});
  const out = createOutput({ isJson: false, isTerminal: true, hasColour: true, width: 80, now: () => 0 });
  out.line(out.style("green", "own \\x1b[30m") + " \\x1b[30mtheirs\\x1b[39m");
`;

test("a terminal obeys the colours of Cairn, and none that stand in a text", async () => {
  const child = Bun.spawn([process.execPath, "-e", PRINTING], { stdout: "pipe", stderr: "inherit" });
  expect((await new Response(child.stdout).text()).trimEnd()).toBe(
    "\x1b[32mown \ufffd[30m\x1b[39m \ufffd[30mtheirs\ufffd[39m",
  );
});
