// Usage: bun scripts/evaluate/retrieval.ts [--all] [--kinds] [--embedder onnx|hash] SET.json...
//        bun scripts/evaluate/retrieval.ts --url URL [--skip-load] [--all] [--kinds] SET.json...
//
// How well a server finds the memories that answer, over HTTP. A set is {name, memories: [{ref, group, run, at, text}],
// queries: [{query, group, gold, category}], unanswerable: [{query, group}]}. Each group is an agent of its own, rows of a run
// share a run_id; a question is asked of its group, with --all of everybody. R@k is the share of the memories wanted that are
// among the first k, MRR the mean of one over the place of the first of them; adversarial questions are left out. AUC is the
// share of pairs of an answered and an unanswerable question in which the first row of the answered one scores higher. Without
// a URL each set has a server of its own. --kinds shows each kind of question. Prints a table, then a line of JSON a set.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { CallLocal } from "../../src/cli/call.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { QUERY_MAX } from "../../src/core/schema/retrieval.ts";
import { share as atShare } from "../bench/figures.ts";
import { markdownTable } from "../markdown.ts";
import { onServer, share, untilSettled } from "./client.ts";
import type { QuestionSet, SetQuery } from "./question-set.ts";
import { areaUnderCurve, isScored, mark, meansOf, noMarks, readSet, toItem } from "./question-set.ts";

const TOP_K = 20;
const ALL = "all";

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string" },
    embedder: { type: "string" },
    all: { type: "boolean", default: false },
    "skip-load": { type: "boolean", default: false },
    kinds: { type: "boolean", default: false },
  },
});
if (files.length === 0 || (options["skip-load"] && options.url === undefined)) {
  console.error("Name at least one set, such as test/relevance/worlds/orchard.json; --skip-load needs --url.");
  process.exit(2);
}

const Found = z.object({
  items: z.array(
    z.object({ metadata: z.looseObject({}).nullish(), injected: z.boolean().nullish(), score: z.number().nullish() }),
  ),
});

interface Answer {
  readonly question: SetQuery;
  readonly refs: readonly string[];
  readonly best_score: number;
  readonly wait_ms: number;
}

const rows: (string | number)[][] = [];
const lines: object[] = [];
for (const file of files) {
  const set = await readSet(file);
  const { answers, auc } = await onServer(options, (call) => measure(call, set));
  const kinds = [[ALL, answers] as const, ...Map.groupBy(answers, ({ question }) => question.category)];
  const figures = kinds.map(([kind, of]) => ({ kind, ...figuresOf(of) }));
  for (const { kind, questions, p50_ms, ...means } of options.kinds ? figures : figures.slice(0, 1)) {
    const name = kind === ALL ? basename(file) : `${basename(file)}: ${kind}`;
    const area = kind === ALL && auc !== null ? share(auc) : "";
    rows.push([name, questions, ...Object.values(means).map(share), area, p50_ms.toFixed(0)]);
  }
  lines.push({ set: set.name, everybody: options.all, unanswerable_auc: auc, figures });
}
console.log(markdownTable(["Set", "questions", "R@1", "R@5", "R@10", "MRR", "AUC", "p50 ms"], rows));
for (const line of lines) console.log(JSON.stringify(line));

async function measure(call: CallLocal, set: QuestionSet) {
  if (!options["skip-load"]) await load(call, set);
  await untilSettled(call);
  const answers: Answer[] = [];
  for (const question of set.queries.filter(isScored)) answers.push(await ask(call, set, question));
  const scores: number[] = [];
  for (const one of set.unanswerable)
    scores.push((await ask(call, set, { ...one, gold: [], category: "" })).best_score);
  const answered = answers.map(({ best_score }) => best_score);
  return { answers, auc: scores.length === 0 ? null : areaUnderCurve(answered, scores) };
}

async function load(call: CallLocal, set: QuestionSet): Promise<void> {
  for (const [group, memories] of Map.groupBy(set.memories, ({ group }) => group)) {
    for (let i = 0; i < memories.length; i += BULK_MAX) {
      const items = memories.slice(i, i + BULK_MAX).map(toItem);
      await call("POST", "/memories/bulk", { agent_id: agentOf(set, group), items });
    }
  }
}

async function ask(call: CallLocal, set: QuestionSet, question: SetQuery): Promise<Answer> {
  const asked = { query: question.query.slice(0, QUERY_MAX), top_k: TOP_K };
  const startedAt = performance.now();
  const reply = await call(
    "POST",
    "/search",
    options.all ? asked : { ...asked, filter_agent_id: agentOf(set, question.group) },
  );
  const wait_ms = performance.now() - startedAt;
  const found = Found.parse(reply).items.filter(({ injected }) => !injected);
  const refs = found.map(({ metadata }) => String(metadata?.ref));
  return { question, refs, best_score: found[0]?.score ?? 0, wait_ms };
}

function figuresOf(answers: readonly Answer[]) {
  const marks = noMarks();
  for (const { refs, question } of answers) mark(marks, refs, question.gold);
  const waits = answers.map(({ wait_ms }) => wait_ms).sort((a, b) => a - b);
  return { questions: marks.questions, ...meansOf(marks), p50_ms: Number(atShare(waits, 0.5).toFixed(1)) };
}

function agentOf({ name }: QuestionSet, group: string): string {
  return `${name}-${group}`;
}
