import { expect, test } from "bun:test";
import { withSpinner } from "../../../src/cli/spinner.ts";

test("a call that takes long shows that something happens, and leaves nothing behind", async () => {
  const shown: string[] = [];
  const write = (text: string) => void shown.push(text);
  const slow = withSpinner(() => new Promise((resume) => setTimeout(() => resume("done"), 900)), true, write);
  expect(await slow("GET", "/")).toBe("done");
  expect(shown.length).toBeGreaterThan(1);
  expect([shown[0], shown.at(-1)]).toEqual([expect.stringContaining("working"), "\r\u001b[K"]);
  const count = shown.length;
  await withSpinner(async () => "quick", true, write)("GET", "/");
  await withSpinner(() => new Promise((resume) => setTimeout(resume, 700)), false, write)("GET", "/");
  expect(shown.length).toBe(count);
});
