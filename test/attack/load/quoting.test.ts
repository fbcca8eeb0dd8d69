import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { quoted, quotedText } from "../../../src/core/kernel/quoting/quote.ts";
import { escapedJson } from "../../../src/core/kernel/quoting/unseen.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";
import { TRICKS } from "../quoting/tricks.ts";
import { processorTime } from "./processor.ts";

// What each character of a text costs, and not how the cost grows: sixty times as much for each grows as the text does, too.

/** Against a hang alone. */
setDefaultTimeout(180_000);

const LENGTH = 20_000;
const all = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length));
/** What so many letters with marks cost who folds each once, as whoever looks for look-alikes must. */
const foldedOnce = (): number =>
  processorTime(() => {
    for (const letter of all("\u1e69")) letter.normalize("NFKC").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  });

/** What begins again and again, and what stands behind it. */
const OPENERS = ["\u1438", "<", "[", "‹", "«", "≪", "&lt;", "\\u003c", "%3c", "\u16b2"];
const BEHIND = ["\u1e69", "a", "A", " ", "\ufffd", "/ ", "\ufdfa", "\u1e69".repeat(62), "a".repeat(70), ""];

test.skipIf(isBinary).each(OPENERS)("a text of %p costs no more than to fold each of its characters once", (opener) => {
  const once = foldedOnce();
  for (const behind of BEHIND) {
    const text = all(opener + behind);
    expect([behind, processorTime(() => quoted(text)) < 3 * once]).toEqual([behind, true]);
    expect([behind, processorTime(() => quotedText(text)) < 3 * once]).toEqual([behind, true]);
  }
});

test.skipIf(isBinary).each(["\u200b", "\u2800", "\u{e0041}", "\u2028", "a\u200b"])(
  "a JSON text of %p costs no more than to fold each of its characters",
  (unit) => {
    const json = JSON.stringify(all(unit));
    expect(processorTime(() => escapedJson(json))).toBeLessThan(3 * foldedOnce());
  },
);

test.skipIf(isBinary)("what is cut costs what is shown, whatever else the text holds", () => {
  for (const unit of ["<a", "\u1438\u1e69", "\n&lt;", "a\u200b"]) {
    const [short, long] = [unit.repeat(1_000), unit.repeat(500_000)];
    const work = (text: string) => () => {
      for (let i = 0; i < 20; i++) quoted(text, 200);
    };
    expect([unit, processorTime(work(long)) < 5 * processorTime(work(short))]).toEqual([unit, true]);
  }
});

test.skipIf(isBinary)("what is cut before it is quoted reads as what is quoted and then cut", () => {
  const texts = [...TRICKS.map(([, text]) => text), "\u200b".repeat(5_000), "<\ufffd", "a\u034f", "  \n"];
  for (const text of texts)
    for (const times of [1, 40, 400])
      for (const limit of [1, 60, 300]) {
        const whole = Array.from(quoted(text.repeat(times)));
        const shown =
          whole.length <= limit
            ? whole.join("")
            : `${whole
                .slice(0, limit - 1)
                .join("")
                .trimEnd()}…`;
        expect(quoted(text.repeat(times), limit)).toBe(shown);
      }
});

const NOTES = 10;
const Reply = z.object({ result: z.object({ content: z.array(z.object({ text: z.string() })) }) });

test.skipIf(isBinary)("notes of opening signs are listed, found and read nearly as soon as plain ones", async () => {
  const app = await startApp();
  try {
    const spent = async (unit: string, project: string): Promise<number[]> => {
      const ids: string[] = [];
      for (let i = 0; i < NOTES; i++) {
        const content = `note ${i} ${unit.repeat(Math.floor(9_900 / unit.length))}`;
        const body = aMemory({ content, fleet_id: project, visibility: "scope_team" });
        ids.push((await app.client.ok(Memory, "POST", MEMORIES, { body })).id);
      }
      await app.settle();
      const calls: [string, object][] = [
        ["list", { limit: 50, project }],
        ["search", { query: "note", project, min_score: 0 }],
        ["get", { ids: ids.slice(0, NOTES) }],
      ];
      const times: number[] = [];
      for (const [name, given] of calls) {
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
        const headers = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" };
        const best = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
        for (const round of best.keys()) {
          const before = process.cpuUsage();
          await app.client.ok(Reply, "POST", "/mcp", { body, headers });
          const { user, system } = process.cpuUsage(before);
          best[round] = user + system;
        }
        times.push(Math.min(...best));
      }
      return times;
    };
    const plain = await spent("plain words of a heron, ", "plain");
    const hostile = await spent("\u1438\u1e69", "hostile");
    for (const [i, time] of hostile.entries()) expect([i, time < 12 * (plain[i] ?? 0)]).toEqual([i, true]);
  } finally {
    await app.stop();
  }
});
