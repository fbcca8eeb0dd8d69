import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { ENGLISH_JUDGE, JUDGE_MODEL, openModels } from "../../src/ai/open.ts";
import type { StatementPair } from "../../src/core/ports/judge.ts";

const PAIRS: Readonly<Record<"english" | "german" | "across" | "japanese" | "strangers", StatementPair>> = {
  english: {
    older: "The nightly backup of the archive starts at 02:00.",
    newer: "The nightly backup of the archive now starts at 03:30.",
  },
  german: {
    older: "Die nächtliche Sicherung des Archivs beginnt um 2 Uhr.",
    newer: "Die nächtliche Sicherung des Archivs beginnt jetzt um 3:30 Uhr.",
  },
  across: {
    older: "The nightly backup of the archive starts at 02:00.",
    newer: "Die nächtliche Sicherung des Archivs beginnt jetzt um 3:30 Uhr.",
  },
  japanese: {
    older: "アーカイブの夜間バックアップは2時に始まります。",
    newer: "アーカイブの夜間バックアップは3時半に始まるようになりました。",
  },
  strangers: {
    older: "Die nächtliche Sicherung des Archivs beginnt um 2 Uhr.",
    newer: "Le café de la cuisine vient d'une petite brûlerie du quartier.",
  },
};

test("changes are told in English, in other languages and across them, and a pair scores alike in any company", async () => {
  const { embedder, judge } = openModels("onnx", { cacheDir: tmpdir() });
  expect(judge?.id).toBe(`${JUDGE_MODEL}+${ENGLISH_JUDGE}`);
  const pairs = Object.values(PAIRS);
  const found = await judge?.score(pairs);
  const clash = new Map(Object.keys(PAIRS).map((name, i) => [name, found?.[i]?.clash ?? expect.unreachable()]));
  for (const name of ["english", "german", "across", "japanese"])
    expect([name, (clash.get(name) ?? 0) > 0.6]).toEqual([name, true]);
  expect(clash.get("strangers")).toBeLessThan(0.2);
  for (const [i, pair] of pairs.entries()) {
    const [alone] = (await judge?.score([pair])) ?? [];
    expect(alone?.clash).toBeCloseTo(found?.[i]?.clash ?? expect.unreachable(), 5);
  }
  await embedder.close();
});
