import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timed } from "../figures.ts";
import { createAuthor } from "../text.ts";
import type { Figure, Pair, Side } from "./sides.ts";
import { figure, forBoth, percentile } from "./sides.ts";

const RUNS = 60;
const WARM_UP = 5;
const QUESTION_SEED = 67;

/** Commands that a harness or a person waits for, each with the process's own start, in turns: milliseconds at the median. */
export async function compareHooks(executables: Pair<string>, folders: Pair<string>): Promise<Figure[]> {
  const work = mkdtempSync(join(tmpdir(), "cairn-bench-hooks-"));
  try {
    const questions = createAuthor(QUESTION_SEED).questions(RUNS + WARM_UP);
    const run = async (side: Side, words: readonly string[], told = {}) => {
      const command = [executables[side], ...words, ...(words[0] === "version" ? [] : ["--data", folders[side]])];
      const env = { PATH: process.env.PATH ?? "", HOME: join(work, String(side)) };
      const input = new Blob([JSON.stringify({ cwd: work, ...told })]);
      const child = Bun.spawn(command, { stdin: input, stdout: "ignore", stderr: "inherit", env });
      if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} exited ${child.exitCode}.`);
    };
    const cases = [
      { what: "version", words: ["version"] },
      { what: "hook session-start", words: ["hook", "session-start", "--harness", "claude"] },
      { what: "hook user-prompt", words: ["hook", "user-prompt", "--harness", "claude"] },
      { what: "search, by a running server", words: ["search", "harbor"] },
    ].map((one) => ({ ...one, took: [[], []] as Pair<number[]> }));
    for (let i = -WARM_UP; i < RUNS; i++) {
      for (const { what, words, took } of cases) {
        const told = { session_id: `${what} ${i}`, source: "startup", prompt: questions[i + WARM_UP] };
        const [old, latest] = await forBoth((side) => timed(() => run(side, words, told)));
        if (i < 0) continue;
        took[0].push(old);
        took[1].push(latest);
      }
    }
    return cases.map(({ what, took }) =>
      figure(`${what}, p50 ms`, [percentile(took[0], 0.5), percentile(took[1], 0.5)]),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
