import { parseArgs } from "node:util";
import type { Ctx } from "../src/core/ports/context.ts";
import { ask, load, rank } from "./ablate/run.ts";
import { USUAL, VARIANTS } from "./ablate/variants.ts";
import { ctxOf, openApp } from "./bench/folder.ts";
import { toTable } from "./bench/tables.ts";
import type { Marks, QuestionSet } from "./evaluate/question-set.ts";
import { areaUnderCurve, isScored, mark, meansOf, noMarks, readSet } from "./evaluate/question-set.ts";

// Usage: bun scripts/ablate.ts SET.json... [--all] [--usual] [--json out.json]
//
// What each signal of the ranking is worth on each set: every question is ranked with all signals, with each one switched off
// in turn, and with one leg alone; with --usual, as it is served only, kind by kind of question. Without --all a question
// searches the memories of its own group. Where a set has questions that nothing answers, tells how well the best score tells
// them from the others (area under the curve).

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    usual: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
if (positionals.length === 0) throw new Error("Name a set.");
const variants = values.usual ? [USUAL] : VARIANTS;

interface Line {
  readonly name: string;
  readonly marks: Marks;
}

async function bestScore(ctx: Ctx, query: QuestionSet["unanswerable"][number]): Promise<number> {
  const asked = await ask(ctx, { ...query, gold: [], category: "" }, values.all);
  return (await rank(ctx, asked, USUAL))[0]?.score ?? 0;
}

async function measure(set: QuestionSet): Promise<{ readonly lines: Line[]; readonly auc: number | null }> {
  const app = await openApp(null);
  const ctx = await ctxOf(app);
  await load(ctx, set, app.runner.drain);
  const lines = new Map<string, Marks>();
  const add = (name: string, refs: readonly string[], gold: readonly string[]) => {
    const marks = lines.get(name) ?? noMarks();
    mark(marks, refs, gold);
    lines.set(name, marks);
  };
  const answered: number[] = [];
  for (const query of set.queries.filter(isScored)) {
    const asked = await ask(ctx, query, values.all);
    for (const variant of variants) {
      const found = await rank(ctx, asked, variant);
      const refs = found.map(({ ref }) => ref);
      add(variant.name, refs, query.gold);
      if (variant !== USUAL) continue;
      answered.push(found[0]?.score ?? 0);
      if (values.usual) add(query.category, refs, query.gold);
    }
  }
  const unanswered: number[] = [];
  for (const query of set.unanswerable) unanswered.push(await bestScore(ctx, query));
  await app.stop();
  return {
    lines: Array.from(lines, ([name, marks]) => ({ name, marks })),
    auc: unanswered.length === 0 ? null : areaUnderCurve(answered, unanswered),
  };
}

const figuresOf = ({ name, marks }: Line) => ({ name, questions: marks.questions, ...meansOf(marks) });

const results = [];
for (const path of positionals) {
  const set = await readSet(path);
  const { lines, auc } = await measure(set);
  const rows = lines.map(figuresOf);
  const [whole] = rows;
  const change = (value: number, of: number | undefined) => (value - (of ?? 0)).toFixed(4);
  console.log(
    `${set.name}${values.all ? ", all groups at once" : ""}${auc === null ? "" : `, unanswerable AUC ${auc.toFixed(3)}`}`,
  );
  console.log(
    toTable(
      ["ranking", "questions", "R@1", "R@5", "R@10", "MRR", "change of R@10", "of MRR"],
      rows.map((row) => [...Object.values(row), change(row["R@10"], whole?.["R@10"]), change(row.MRR, whole?.MRR)]),
    ),
  );
  results.push({ set: set.name, all: values.all, auc, rows });
}
const json = JSON.stringify(results);
console.log(json);
if (values.json) await Bun.write(values.json, `${json}\n`);
