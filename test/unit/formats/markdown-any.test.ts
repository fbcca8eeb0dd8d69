import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { markdown } from "../../../src/formats/markdown/reader.ts";
import type { Read } from "./support.ts";
import { read } from "./support.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

const notes = (text: string): Promise<Read> => read(markdown, { "notes.md": text });

const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "`code`", "**bold**", "[link](http://x)");
const sentence = fc.array(word, { minLength: 3, maxLength: 8 }).map((words) => `${words.join(" ")} end`);
const block = fc.oneof(
  sentence,
  sentence.map((text) => `- ${text}`),
  sentence.map((text) => `- ${text}\n  - ${text}`),
  sentence.map((text) => `> ${text}`),
  sentence.map((text) => `## ${text}`),
  sentence.map((text) => `\`\`\`\n${text}\n\n${text}\n\`\`\``),
  sentence.map((text) => `| a | b |\n|---|---|\n| ${text} | x |`),
);

test("nothing is lost, and each memory tells the line that it begins in", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 12 }), async (blocks) => {
      // Each block has a word of its own, by which it is found again.
      const text = blocks.map((one, i) => one.replace(/end/g, `end${i}.`)).join("\n\n");
      const { memories, lines } = await notes(text);
      const all = JSON.stringify(memories.map(({ content, metadata }) => [content, metadata]));
      expect(blocks.map((_one, i) => `end${i}.`).filter((end) => !all.includes(end))).toEqual([]);
      for (const line of lines) {
        if (!("record" in line) || line.record.record !== "memory") throw new Error("There is a fault.");
        const above =
          JSON.stringify(line.record.metadata)
            .match(/end\d+\./g)
            ?.map(String) ?? [];
        const own = (line.record.content.match(/end\d+\./g) ?? []).find((end) => !above.includes(end)) ?? "none";
        const [here = "", next = ""] = text.split("\n").slice(line.place.line - 1);
        // The first line of code is what marks it.
        expect(here.startsWith("```") ? next : here).toContain(own);
      }
    }),
    { numRuns: 300 },
  );
});

test("no text makes the reader fail, or what it reads too short", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), async (text) => {
      const { memories } = await notes(text.replaceAll("\0", ""));
      for (const { content } of memories) expect(content.length).toBeGreaterThanOrEqual(10);
    }),
    { numRuns: 500 },
  );
});
