// Usage: bun scripts/evaluate/retrieval.ts [--url URL] [--all] [--skip-load] [--kinds] SET.json...
//
// How well a server finds the memories that answer, over HTTP. A set is {name, memories: [{ref, group, run, at, text}],
// queries: [{query, group, gold, category}]}. Each group is an agent of its own, rows of a run share a run_id; a question is asked
// of its group, with --all of everybody. R@k is the share of the memories wanted that are among the first k, MRR the mean of one
// over the place of the first of them; adversarial questions are left out. Several sets share one instance. --kinds shows each
// kind of question. Prints a table, then a line of JSON a set.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Evaluated } from "./client.ts";
import { evaluated, markdownTable, share } from "./client.ts";
import type { Marks, QuestionSet } from "./question-set.ts";
import { isScored, mark, noMarks, readSet, toItem } from "./question-set.ts";

const TOP_K = 20;
const BULK_ITEMS = 100;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string" },
    all: { type: "boolean", default: false },
    "skip-load": { type: "boolean", default: false },
    kinds: { type: "boolean", default: false },
  },
});
if (files.length === 0) {
  console.error("Name at least one set, such as test/relevance/worlds/orchard.json.");
  process.exit(2);
}

const server = await evaluated(options.url);
const rows: (string | number)[][] = [];
const lines: object[] = [];
try {
  for (const file of files) {
    const set = await readSet(file);
    if (!options["skip-load"]) await load(server, set);
    const { kinds, waits } = await ask(server, set);
    for (const [kind, marks] of kinds) {
      if (kind !== "all" && !options.kinds) continue;
      const name = kind === "all" ? basename(file) : `${basename(file)}: ${kind}`;
      rows.push([name, marks.questions, ...figuresOf(marks).map(share), middle(waits).toFixed(0)]);
    }
    const all = kinds.get("all") ?? noMarks();
    const [r5, r10, mrr] = figuresOf(all);
    lines.push({
      set: set.name,
      everybody: options.all,
      questions: all.questions,
      r5,
      r10,
      mrr,
      p50_ms: middle(waits),
    });
  }
} finally {
  await server.stop();
}
console.log(markdownTable(["Set", "questions", "R@5", "R@10", "MRR", "p50 ms"], rows));
for (const line of lines) console.log(JSON.stringify(line));

function agentOf({ name }: QuestionSet, group: string): string {
  return `${name}-${group}`;
}

async function load({ call }: Evaluated, set: QuestionSet): Promise<void> {
  for (const [group, memories] of Map.groupBy(set.memories, ({ group }) => group)) {
    for (let i = 0; i < memories.length; i += BULK_ITEMS) {
      const items = memories.slice(i, i + BULK_ITEMS).map(toItem);
      await call("POST", "/memories/bulk", { agent_id: agentOf(set, group), items });
    }
  }
  // Figures are those of rows whose vectors are there.
  while ((await call<{ jobs: { embedding_pending: number } }>("GET", "/status")).jobs.embedding_pending > 0)
    await Bun.sleep(200);
}

async function ask({ call }: Evaluated, set: QuestionSet) {
  const kinds = new Map<string, Marks>([["all", noMarks()]]);
  const waits: number[] = [];
  for (const one of set.queries.filter(isScored)) {
    const startedAt = performance.now();
    const { items } = await call<{ items: { metadata: { ref?: string } | null; injected?: boolean }[] }>(
      "POST",
      "/search",
      {
        query: one.query,
        top_k: TOP_K,
        ...(options.all ? {} : { filter_agent_id: agentOf(set, one.group) }),
      },
    );
    waits.push(performance.now() - startedAt);
    const refs = items.filter(({ injected }) => !injected).map(({ metadata }) => metadata?.ref ?? "");
    for (const kind of ["all", one.category]) {
      const marks = kinds.get(kind) ?? noMarks();
      mark(marks, refs, one.gold);
      kinds.set(kind, marks);
    }
  }
  return { kinds, waits };
}

function figuresOf({ questions, recall5, recall10, reciprocal }: Marks): [number, number, number] {
  const n = Math.max(1, questions);
  return [recall5 / n, recall10 / n, reciprocal / n];
}

function middle(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
