// Usage: bun scripts/evaluate/prompts.ts [--url URL] [--executable dist/cairn] [--level quiet] [--notes FILE --prompts FILE] [--show]
//
// What the hook of a prompt tells, from outside: the notes of two stores of test/relevance, or some of your own, are written in the
// order of time into a fleet each; then each prompt is a session of its own: its start, then the prompt, as Claude Code sends them, in
// a folder that names the project. recall: notes told of those that must be; precision: those and helpful ones of all told; silent:
// of the prompts on which no note bears those that are told nothing; candidates: notes that must be told among the best ten of
// a search for the prompt. A hook that is late tells nothing: the machine must be quiet. Prints a table by kind, then a line of JSON.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { CallLocal } from "../../src/cli/call.ts";
import { DEFAULT_LEVEL } from "../../src/cli/hook/level.ts";
import { Memory } from "../../src/core/schema/memory.ts";
import { QUERY_MAX } from "../../src/core/schema/retrieval.ts";
import type { Prompt, Store } from "../../test/relevance/stores.ts";
import { PROMPTS, Prompts, STORES, Store as StoreFile } from "../../test/relevance/stores.ts";
import { percentile } from "../bench/compare/sides.ts";
import { markdownTable } from "../markdown.ts";
import { onServer, share, untilSettled } from "./client.ts";

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    executable: { type: "string", default: "dist/cairn" },
    level: { type: "string", default: DEFAULT_LEVEL },
    notes: { type: "string" },
    prompts: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const CANDIDATES = 10;
/** Kinds of prompts on which no note bears. */
const IDLE: readonly string[] = ["generic", "offtopic"];
const Found = z.object({ items: z.array(z.object({ id: z.string() })) });
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** What became of a prompt. */
interface Told {
  readonly prompt: Prompt;
  readonly told: readonly string[];
  readonly candidates: readonly string[];
  readonly ms: number;
}

const orEmpty = (value: number): string => (Number.isFinite(value) ? share(value) : "");

const { memories, prompts } = chosen();
const outcomes = await onServer({ url: options.url }, (call, url) => measure(call, url));
if (options.show) for (const one of outcomes) show(one);
const kinds = [...Map.groupBy(outcomes, ({ prompt }) => prompt.kind), ["all", outcomes] as const];
console.log(
  markdownTable(
    ["Kind", "prompts", "wanted", "told", "recall", "precision", "silent", "candidates"],
    kinds.map(([kind, of]) => {
      const { wanted, told, recall, precision, silent, candidates } = figuresOf(of);
      return [kind, of.length, wanted, told, ...[recall, precision, silent, candidates].map(orEmpty)];
    }),
  ),
);
const p = (part: number): number =>
  Math.round(
    percentile(
      outcomes.map(({ ms }) => ms),
      part,
    ),
  );
console.log(JSON.stringify({ ...figuresOf(outcomes), p50_ms: p(0.5), p99_ms: p(0.99) }));

function chosen(): { readonly memories: Store["memories"]; readonly prompts: readonly Prompt[] } {
  const { notes, prompts } = options;
  if (notes !== undefined && prompts !== undefined)
    return {
      memories: StoreFile.loose().parse(readJson(notes)).memories,
      prompts: Prompts.parse(readJson(prompts)).prompts,
    };
  return { memories: STORES.flatMap(({ store }) => store.memories), prompts: PROMPTS };
}

async function measure(call: CallLocal, url: string): Promise<Told[]> {
  const root = mkdtempSync(join(tmpdir(), "cairn-prompts-"));
  const groups = new Set(prompts.map(({ group }) => group));
  // A run of its own: what was measured before is another project.
  const projectOf = (group: string): string => `${group}-${root.slice(-6).toLowerCase()}`;
  const refs = new Map<string, string>();
  for (const { ref, group, run: run_id, text: content } of memories.filter(({ group }) => groups.has(group))) {
    const body = { content, fleet_id: projectOf(group), agent_id: "claude-code", run_id };
    refs.set(Memory.parse(await call("POST", "/memories", body)).id, ref);
  }
  for (const group of groups) {
    mkdirSync(join(root, group));
    writeFileSync(join(root, group, ".cairn.json"), JSON.stringify({ project: projectOf(group) }));
  }
  await untilSettled(call);
  const outcomes: Told[] = [];
  for (const [i, prompt] of prompts.entries()) {
    const session = { session_id: `${root} ${i}`, cwd: join(root, prompt.group) };
    await hook("session-start", { ...session, source: "startup" }, { root, url });
    const begun = performance.now();
    const out = await hook("user-prompt", { ...session, prompt: prompt.prompt }, { root, url });
    const ms = performance.now() - begun;
    const told = [...refs].filter(([id]) => out.includes(`id ${id}`)).map(([, ref]) => ref);
    const query = { query: prompt.prompt.slice(0, QUERY_MAX), fleet_ids: [projectOf(prompt.group)], top_k: CANDIDATES };
    const { items } = Found.parse(await call("POST", "/search", { ...query, min_score: 0, diagnostic: true }));
    outcomes.push({ prompt, told, candidates: items.map(({ id }) => refs.get(id) ?? ""), ms });
  }
  rmSync(root, { recursive: true });
  return outcomes;
}

async function hook(
  event: string,
  told: object,
  { root, url }: { readonly root: string; readonly url: string },
): Promise<string> {
  const child = Bun.spawn(
    [resolve(options.executable), "hook", event, "--level", options.level, "--harness", "claude"],
    {
      stdin: new Blob([JSON.stringify(told)]),
      stdout: "pipe",
      stderr: "ignore",
      env: { PATH: process.env.PATH ?? "", HOME: root, CAIRN_URL: url },
    },
  );
  return new Response(child.stdout).text();
}

function figuresOf(of: readonly Told[]) {
  const sum = (count: (one: Told) => number): number => of.reduce((all, one) => all + count(one), 0);
  const wanted = sum(({ prompt }) => prompt.relevant.length);
  const told = sum(({ told }) => told.length);
  const among = (refs: readonly string[], some: readonly string[]): number =>
    refs.filter((ref) => some.includes(ref)).length;
  const idle = of.filter(({ prompt }) => IDLE.includes(prompt.kind));
  return {
    ...{ prompts: of.length, wanted, told },
    recall: sum(({ prompt, told }) => among(told, prompt.relevant)) / wanted,
    precision: sum(({ prompt, told }) => among(told, [...prompt.relevant, ...prompt.helpful])) / told,
    silent: idle.filter(({ told }) => told.length === 0).length / idle.length,
    candidates: sum(({ prompt, candidates }) => among(candidates, prompt.relevant)) / wanted,
  };
}

/** Prints what was told out of place, and what was not told. */
function show({ prompt, told }: Told): void {
  const textOf = (ref: string): string => memories.find((memory) => memory.ref === ref)?.text.slice(0, 100) ?? "";
  const wrong = told.filter((ref) => ![...prompt.relevant, ...prompt.helpful].includes(ref));
  const missed = prompt.relevant.filter((ref) => !told.includes(ref));
  if (wrong.length + missed.length === 0) return;
  const lines = [...wrong.map((ref) => `wrong: ${textOf(ref)}`), ...missed.map((ref) => `missed: ${textOf(ref)}`)];
  console.log([`${prompt.kind}: ${prompt.prompt}`, ...lines].join("\n    "));
}
