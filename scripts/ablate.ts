import { parseArgs } from "node:util";
import { STANDALONE_TENANT } from "../src/access/resolve.ts";
import type { NamedEntities } from "../src/entities/match.ts";
import { namedEntities } from "../src/entities/match.ts";
import { writeMemories } from "../src/memories/bulk.ts";
import type { Ctx } from "../src/ports/context.ts";
import type { HitReply } from "../src/ports/hits.ts";
import { entityEvidence } from "../src/retrieval/entities.ts";
import { hitQuery } from "../src/retrieval/findings.ts";
import type { SearchPlan } from "../src/retrieval/plan.ts";
import { planSearch } from "../src/retrieval/plan.ts";
import type { Question } from "../src/retrieval/question.ts";
import { readQuestion } from "../src/retrieval/question.ts";
import { rankHits } from "../src/retrieval/score.ts";
import { BULK_MAX } from "../src/schema/memory.ts";
import { QUERY_MAX } from "../src/schema/retrieval.ts";
import type { Marks, QuestionSet, SetQuery } from "./ablate/set.ts";
import { isScored, mark, noMarks, readSet, toItem } from "./ablate/set.ts";
import type { Legs, Variant } from "./ablate/variants.ts";
import { VARIANTS } from "./ablate/variants.ts";
import { ctxOf, openApp } from "./bench/folder.ts";
import { toTable } from "./bench/tables.ts";

// Usage: bun scripts/ablate.ts --data <set.json> [--all] [--json out.json]
//
// What each signal of the ranking is worth: every question of a set is ranked with all signals, with each one switched
// off in turn, and with one leg alone. Without --all a question searches the memories of its own group.

const TOP_K = 20;

/** Stores the set, one author per group, and waits until all of it is embedded. */
async function load(ctx: Ctx, { memories }: QuestionSet, drain: () => Promise<number>): Promise<void> {
  for (const [agent_id, rows] of Map.groupBy(memories, ({ group }) => group)) {
    for (let i = 0; i < rows.length; i += BULK_MAX) {
      const items = rows.slice(i, i + BULK_MAX).map(toItem);
      await writeMemories(ctx, {
        body: { tenant_id: STANDALONE_TENANT, agent_id, items },
        attempt_id: null,
        refused: new Map(),
      });
    }
  }
  await drain();
}

interface Asked {
  readonly plan: SearchPlan;
  readonly question: Question;
  readonly entities: NamedEntities;
  readonly found: Readonly<Record<Legs, HitReply>>;
}

/** What storage finds for a question by both legs and by each alone. */
async function ask(ctx: Ctx, { query, group }: SetQuery, everywhere: boolean): Promise<Asked> {
  const body = { tenant_id: STANDALONE_TENANT, query: query.slice(0, QUERY_MAX), top_k: TOP_K };
  const plan = await planSearch(ctx, { body: everywhere ? body : { ...body, filter_agent_id: group }, ignored: [] });
  const question = readQuestion(plan.query, plan.asked_at);
  const [values] = await ctx.embedder.embed([plan.query], { role: "query", priority: "interactive" });
  if (!values) throw new Error("The model gave no vector.");
  const entities = await namedEntities(ctx.storage, plan.reach, plan.query);
  const asked = hitQuery({ plan, question, entities }, { embedder_id: ctx.embedder.id, values });
  const hits = (legs: Legs) =>
    ctx.storage.memories.hits({
      ...asked,
      ...(legs === "words" ? { vector: null } : {}),
      ...(legs === "vectors" ? { words: [] } : {}),
    });
  return {
    plan,
    question,
    entities,
    found: { both: await hits("both"), words: await hits("words"), vectors: await hits("vectors") },
  };
}

/** The names that the set gives the best rows, best first. */
async function rank(ctx: Ctx, { plan, question, entities, found }: Asked, variant: Variant): Promise<string[]> {
  const { legs, weights } = variant;
  const { calibration } = ctx.embedder;
  const evidence = entityEvidence(entities, found[legs].words);
  const ranking = { question, now: plan.asked_at, calibration, weights, entities: evidence };
  const ranked = rankHits(found[legs], ranking).slice(0, plan.top_k);
  const ids = ranked.map(({ hit }) => hit.memory.id);
  const rows = await ctx.storage.memories.several(plan.reach, ids);
  return rows.map(({ metadata }) => String(metadata?.ref));
}

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
