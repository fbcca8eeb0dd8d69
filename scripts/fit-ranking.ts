import { parseArgs } from "node:util";
import type { Ctx } from "../src/core/ports/context.ts";
import { scoreHits } from "../src/search/rank.ts";
import type { RankingWeights } from "../src/search/weights.ts";
import { WEIGHTS } from "../src/search/weights.ts";
import { ask, load, rankingOf } from "./ablate/run.ts";
import { ctxOf, openApp } from "./bench/folder.ts";
import { toTable } from "./bench/tables.ts";
import type { QuestionSet, SetQuery } from "./evaluate/question-set.ts";
import { isScored, mark, noMarks, readSet } from "./evaluate/question-set.ts";
import type { Labelled } from "./ranking/fit.ts";
import { fitLogistic, fitWeights } from "./ranking/fit.ts";
import type { Row } from "./ranking/rows.ts";
import { ranked } from "./ranking/rows.ts";

// Usage: bun scripts/fit-ranking.ts kind=set.json[,set.json] ... [--rows found.json]   for example
//   bun scripts/fit-ranking.ts notes=orchard.json,household.json talk=locomo-dev.json chat=beam-dev.json languages=scripts/reader/languages
//
// Fits the weights of src/search/weights.ts to questions with their answers. Each kind of set weighs the same; a question
// is asked within its group and among everything. Prints what weights are worth on groups that they were not fitted to, then
// the table to paste. What was found is kept in the file of --rows, and taken from there the next time. That newer rows go before older ones is not part of it (src/search/newest-first.ts).

/** Rows from the top of a question that count. */
const JUDGED_ROWS = 20;
/** Rows read at a time. */
const IDS_MAX = 100;
/** One in so many questions is asked among everything, too: it tells kinds of rows apart, not rows. */
const EVERYWHERE_EVERY = 3;
/** Parts that groups are divided into, each to see how weights do that were fitted without it. */
const FOLDS = 2;

interface Question {
  readonly kind: string;
  readonly fold: number;
  readonly query: SetQuery;
  /** Asked among all sets, not within its group. */
  readonly everywhere: boolean;
  readonly rows: readonly Row[];
}

async function questionsOf(ctx: Ctx, kind: string, set: QuestionSet): Promise<Question[]> {
  const unanswerable = set.unanswerable.map((one) => ({ ...one, gold: [], category: "unanswerable" }));
  const groups = [...new Set(set.queries.map(({ group }) => group))];
  const refs = new Map<string, string>();
  const questions: Question[] = [];
  for (const [i, query] of [...set.queries.filter(isScored), ...unanswerable].entries()) {
    for (const everywhere of i % EVERYWHERE_EVERY === 0 ? [false, true] : [false]) {
      const asked = await ask(ctx, query, everywhere);
      const { both } = asked.found;
      const ids = both.hits.map(({ memory }) => memory.id).filter((id) => !refs.has(id));
      for (let from = 0; from < ids.length; from += IDS_MAX) {
        const some = await ctx.storage.memories.several(asked.plan.read_scope, ids.slice(from, from + IDS_MAX));
        for (const { id, metadata } of some) refs.set(id, String(metadata?.ref));
      }
      const rows = scoreHits(both, rankingOf(ctx, asked, both)).map(({ hit: { memory }, ...row }) => {
        const ref = refs.get(memory.id) ?? "";
        return { kind: row.kind, signals: row.signals, run_id: memory.run_id, ref, isGold: query.gold.includes(ref) };
      });
      questions.push({ kind, fold: groups.indexOf(query.group) % FOLDS, query, everywhere, rows });
    }
  }
  return questions;
}

const isAnswered = ({ query }: Question): boolean => query.gold.length > 0;
const within = ({ everywhere }: Question): boolean => !everywhere;

function figures(questions: readonly Question[], weights: RankingWeights): number[] {
  const marks = noMarks();
  for (const { rows, query } of questions.filter(within).filter(isAnswered)) {
    const refs = ranked(rows, weights)
      .slice(0, JUDGED_ROWS)
      .map(({ ref }) => ref);
    mark(marks, refs, query.gold);
  }
  return [marks.recall5, marks.recall10, marks.reciprocal].map((sum) => Number((sum / marks.questions).toFixed(4)));
}

/** Every kind counts as much as any other, whatever its number of questions. */
function weightIn(questions: readonly Question[], kindOf: (one: Question) => string): (one: Question) => number {
  const sizes = new Map(Array.from(Map.groupBy(questions, kindOf), ([kind, all]) => [kind, all.length]));
  return (one) => 1 / (sizes.get(kindOf(one)) ?? 1);
}

function fit(questions: readonly Question[]): RankingWeights {
  const answered = questions.filter(isAnswered);
  const weightOf = weightIn(answered, ({ kind }) => kind);
  return fitWeights(
    answered.map((one) => ({ rows: one.rows, weight: weightOf(one) })),
    WEIGHTS,
  );
}

/** Log-odds of an answer, from questions with and without one; the latter are of kinds that have such, and count as much together. */
function chanceOf(questions: readonly Question[], weights: RankingWeights): RankingWeights["chance"] {
  const own = questions.filter(within);
  const weightOf = weightIn(own, (one) => `${one.kind} ${isAnswered(one)}`);
  // A kind all of whose questions have answers says nothing of those that have none.
  const told = new Set(own.filter((one) => !isAnswered(one)).map(({ kind }) => kind));
  const telling = own.filter(({ kind }) => told.has(kind));
  const halfOf = weightIn(telling, (one) => String(isAnswered(one)));
  const tops = telling.map((one): Labelled => {
    const nearest = Math.max(...one.rows.map(({ signals }) => signals.meaning));
    const top = ranked(one.rows, weights)[0]?.total ?? 0;
    return { values: [nearest, top], isTrue: isAnswered(one), weight: halfOf(one) };
  });
  const rows = own.filter(isAnswered).flatMap((one): Labelled[] => {
    const best = ranked(one.rows, weights).slice(0, JUDGED_ROWS);
    return best.map(({ isGold, total }) => ({
      values: [-Math.log1p((best[0]?.total ?? 0) - total)],
      isTrue: isGold,
      weight: weightOf(one),
    }));
  });
  const [bias = 0, nearest = 0, top = 0] = fitTops(tops);
  const [own_bias = 0, gap = 0] = fitLogistic(rows);
  return { answered: { bias, nearest, top }, behind: { bias: own_bias, gap } };
}

/** Log-odds by the nearest row and by the first one's evidence; more evidence never speaks against an answer. */
function fitTops(tops: readonly Labelled[]): number[] {
  const both = fitLogistic(tops);
  if ((both.at(-1) ?? 0) >= 0) return both;
  return [...fitLogistic(tops.map((one) => ({ ...one, values: one.values.slice(0, 1) }))), 0];
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rows: { type: "string" } } });
const arguments_ = positionals.map((argument) => argument.split("="));
const questions: Question[] = (await kept()) ?? (await collected());
if (values.rows) await Bun.write(values.rows, JSON.stringify(questions));

async function kept(): Promise<Question[] | null> {
  // Safe: this script wrote it.
  return values.rows && (await Bun.file(values.rows).exists())
    ? ((await Bun.file(values.rows).json()) as Question[])
    : null;
}

async function collected(): Promise<Question[]> {
  const sets: { readonly kind: string; readonly set: QuestionSet }[] = [];
  for (const [kind = "", paths = ""] of arguments_)
    for (const path of paths.split(",")) sets.push({ kind, set: await readSet(path) });
  const app = await openApp(null);
  const ctx = await ctxOf(app);
  for (const { set } of sets) await load(ctx, set, app.runner.drain);
  const found: Question[] = [];
  // A set of one group is a fold as a whole.
  for (const [i, { kind, set }] of sets.entries())
    for (const one of await questionsOf(ctx, kind, set)) found.push({ ...one, fold: (one.fold + i) % FOLDS });
  await app.stop();
  return found;
}

const kinds = [...new Set(questions.map(({ kind }) => kind))];
const all = fit(questions);
const folds = Array.from({ length: FOLDS }, (_, fold) => fit(questions.filter((one) => one.fold !== fold)));
const rows = kinds.map((kind) => {
  const own = questions.filter((one) => one.kind === kind);
  const outside = folds.map((weights, fold) =>
    figures(
      own.filter((one) => one.fold === fold),
      weights,
    ).join(" "),
  );
  return [kind, ...figures(own, WEIGHTS), ...figures(own, all), ...outside];
});
const columns = ["now", "fitted"].flatMap((name) => ["R@5", "R@10", "MRR"].map((figure) => `${name} ${figure}`));
console.log(toTable(["kind", ...columns, ...folds.map((_, fold) => `held out ${fold + 1}`)], rows));
for (const turn of [0.2, 0.4])
  for (const statement of [0, 0.1, 0.2])
    for (const text of [0, 0.2, 0.4]) {
      const weights = { ...all, run: { turn, statement, text } };
      const each = kinds.map((kind) => [
        kind,
        ...figures(
          questions.filter((one) => one.kind === kind),
          weights,
        ),
      ]);
      console.log(`run ${turn} ${statement} ${text}: ${each.map((one) => one.join(" ")).join(" | ")}`);
    }
console.log(JSON.stringify({ ...all, chance: chanceOf(questions, all) }, null, 1));
