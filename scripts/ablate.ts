import { parseArgs } from "node:util";
import { ask, load, rank } from "./ablate/run.ts";
import type { Marks } from "./ablate/set.ts";
import { isScored, mark, noMarks, readSet } from "./ablate/set.ts";
import type { Variant } from "./ablate/variants.ts";
import { VARIANTS } from "./ablate/variants.ts";
import { ctxOf, openApp } from "./bench/folder.ts";
import { toTable } from "./bench/tables.ts";

// Usage: bun scripts/ablate.ts --data <set.json> [--all] [--json out.json]
//
// What each signal of the ranking is worth: every question of a set is ranked with all signals, with each one switched
// off in turn, and with one leg alone. Without --all a question searches the memories of its own group.

const { values } = parseArgs({
  options: { data: { type: "string" }, all: { type: "boolean", default: false }, json: { type: "string" } },
});
if (!values.data) throw new Error("Name a set with --data.");
const set = await readSet(values.data);
const app = await openApp(null);
const ctx = await ctxOf(app);
await load(ctx, set, app.runner.drain);
const marks = new Map<Variant, Marks>(VARIANTS.map((variant) => [variant, noMarks()]));
for (const query of set.queries.filter(isScored)) {
  const asked = await ask(ctx, query, values.all);
  for (const [variant, sums] of marks) mark(sums, await rank(ctx, asked, variant), query.gold);
}
await app.stop();
const rows = Array.from(marks, ([{ name }, { questions, recall5, recall10, reciprocal }]) => {
  const mean = (sum: number) => Number((sum / questions).toFixed(4));
  return { name, "R@5": mean(recall5), "R@10": mean(recall10), MRR: mean(reciprocal) };
});
const [whole] = rows;
const change = (value: number, of: number | undefined) => (value - (of ?? 0)).toFixed(4);
console.log(`${set.name}${values.all ? ", all groups at once" : ""}: ${set.queries.filter(isScored).length} questions`);
console.log(
  toTable(
    ["ranking", "R@5", "R@10", "MRR", "change of R@10", "of MRR"],
    rows.map((row) => [...Object.values(row), change(row["R@10"], whole?.["R@10"]), change(row.MRR, whole?.MRR)]),
  ),
);
const json = JSON.stringify({ set: set.name, all: values.all, rows });
console.log(json);
if (values.json) await Bun.write(values.json, `${json}\n`);
