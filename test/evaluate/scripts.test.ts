import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../support/app.ts";

const HANG_GUARD_MS = 180_000;

/** Runs a script of scripts/evaluate on a file of that text and returns the JSON that it prints last. */
async function evaluated(script: string, file: string, text: string): Promise<unknown> {
  const folder = temporaryFolder();
  try {
    const path = join(folder.path, file);
    await Bun.write(path, text);
    const command = [process.execPath, `scripts/evaluate/${script}.ts`, "--embedder", "hash", path];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
    const printed = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    expect(printed).toStartWith("| Set |");
    return JSON.parse(printed.trim().split("\n").at(-1) ?? "");
  } finally {
    folder.remove();
  }
}

test(
  "the figures of retrieval are those of what a server finds, within the group that is asked",
  async () => {
    const row = (ref: string, group: string, text: string) => ({ ref, group, run: null, at: null, text });
    const asked = (query: string, gold: readonly string[], category = "identifier") => ({
      query,
      group: "a",
      gold,
      category,
    });
    const set = {
      name: "tiny",
      memories: [
        row("pump", "a", "The feed pump of the boiler is a Grundfos CR15."),
        row("roof", "a", "The roof was tiled again by Marchetti in spring."),
        row("valve", "b", "The relief valve is a Spirax SV607."),
      ],
      queries: [
        asked("Grundfos CR15", ["pump"]),
        // Two are wanted, of which the other group holds one: half of them can be found.
        asked("Marchetti Spirax SV607", ["roof", "valve"], "multi"),
        asked("anything", [], "adversarial"),
      ],
      unanswerable: [{ query: "zeppelin", group: "a" }],
    };
    const { figures, ...line } = (await evaluated("retrieval", "tiny.json", JSON.stringify(set))) as {
      figures: Record<string, unknown>[];
    };
    expect(line).toEqual({ set: "tiny", everybody: false, unanswerable_auc: 1 });
    expect(figures).toMatchObject([
      { kind: "all", questions: 2, "R@1": 0.75, "R@5": 0.75, "R@10": 0.75, MRR: 1 },
      { kind: "identifier", questions: 1, "R@1": 1, MRR: 1 },
      { kind: "multi", questions: 1, "R@1": 0.5, "R@10": 0.5, MRR: 1 },
    ]);
  },
  HANG_GUARD_MS,
);

test(
  "the figures of contradictions are those of what a server flags",
  async () => {
    const pairs = [
      { older: "The office has 14 desks.", newer: "The office has 20 desks now.", label: "update" },
      { older: "The office has 14 desks.", newer: "Thieves stole two bicycles from the yard.", label: "unrelated" },
    ];
    const text = pairs.map((pair) => JSON.stringify(pair)).join("\n");
    expect(await evaluated("contradictions", "tiny.jsonl", text)).toEqual({
      set: "tiny.jsonl",
      pairs: 2,
      refused: 0,
      f1: 1,
      precision: 1,
      recall: 1,
      false_alarm_rate: 0,
    });
  },
  HANG_GUARD_MS,
);

test(
  "the figures of rare words are those of all questions around each of them",
  async () => {
    const command = [process.execPath, "scripts/evaluate/rare-words.ts", "--embedder", "hash", "--words", "2"];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
    const printed = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    expect(printed).toStartWith("| Question |");
    expect(JSON.parse(printed.trim().split("\n").at(-1) ?? "")).toEqual({ words: 2, asked: 80, missed: 0, first: 1 });
  },
  HANG_GUARD_MS,
);
