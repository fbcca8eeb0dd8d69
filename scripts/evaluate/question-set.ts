import { statSync } from "node:fs";
import { z } from "zod";
import { toTimestamp } from "../../src/core/kernel/clock.ts";
import { Newcomer } from "../../test/relevance/sets.ts";
import type { HeldOut } from "../languages/held-out.ts";
import { heldOutWorlds } from "../languages/held-out.ts";

/** A set of memories, and questions with the memories that answer them. */
const QuestionSet = z.object({
  name: z.string(),
  memories: z.array(
    z.object({
      ref: z.string(),
      group: z.string(),
      run: z.string().nullish(),
      at: z.string().nullish(),
      text: z.string(),
    }),
  ),
  queries: z.array(z.object({ query: z.string(), group: z.string(), gold: z.array(z.string()), category: z.string() })),
  /** Questions that no memory answers. */
  unanswerable: z.array(z.object({ query: z.string(), group: z.string() })).default([]),
});
export type QuestionSet = z.infer<typeof QuestionSet>;
export type SetMemory = QuestionSet["memories"][number];
export type SetQuery = QuestionSet["queries"][number];

/** Reads a set of questions, the first notes of newcomers, or of a folder of worlds in many languages those for fitting. */
export async function readSet(path: string): Promise<QuestionSet> {
  if (statSync(path).isDirectory()) return ofWorlds(await heldOutWorlds(path));
  const read: unknown = await Bun.file(path).json();
  return Array.isArray(read) ? ofNewcomers(z.array(Newcomer).parse(read)) : QuestionSet.parse(read);
}

const ofNewcomers = (newcomers: readonly Newcomer[]): QuestionSet => ({
  name: "newcomers",
  memories: newcomers.flatMap(({ name, notes }) =>
    notes.map((text, i) => ({ ref: `${name}/${i}`, group: name, text })),
  ),
  queries: newcomers.flatMap(({ name, questions }) =>
    questions.map(({ query, note }) => ({ query, group: name, gold: [`${name}/${note}`], category: name })),
  ),
  unanswerable: [],
});

const ofWorlds = (languages: readonly HeldOut[]): QuestionSet => {
  const rows = languages.flatMap(({ fitted }) => fitted).map((row, i) => ({ ...row, ref: String(i) }));
  return {
    name: "worlds",
    memories: rows.map(({ ref, world: group, text }) => ({ ref, group, text })),
    queries: rows.flatMap(({ ref, world: group, questions }) =>
      questions.map((query) => ({ query, group, gold: [ref], category: group })),
    ),
    unanswerable: languages.flatMap(({ fitted, elsewhere }) =>
      elsewhere.flatMap(({ questions: [query] }, i) => {
        const group = fitted[i]?.world;
        return group === undefined ? [] : [{ query, group }];
      }),
    ),
  };
};

/** A memory as a bulk item: said when the set says, in the run it names. */
export const toItem = ({ ref, run, at, text }: SetMemory) => ({
  content: text,
  memory_type: "episode",
  metadata: { ref },
  ...(run ? { run_id: run } : {}),
  ...(at ? { ts_valid_start: toTimestamp(Date.parse(at)) } : {}),
});

/** Questions without an answer are asked to see what comes back, not to be scored. */
export const isScored = ({ category, gold }: SetQuery): boolean => category !== "adversarial" && gold.length > 0;

/** Sums over questions. */
export interface Marks {
  questions: number;
  recall1: number;
  recall5: number;
  recall10: number;
  reciprocal: number;
}
export const noMarks = (): Marks => ({ questions: 0, recall1: 0, recall5: 0, recall10: 0, reciprocal: 0 });

/** Adds what one order of rows is worth to a question. */
export function mark(marks: Marks, refs: readonly string[], gold: readonly string[]): void {
  const wanted = new Set(gold);
  const found = (k: number) => new Set(refs.slice(0, k).filter((ref) => wanted.has(ref))).size / wanted.size;
  const first = refs.findIndex((ref) => wanted.has(ref));
  marks.questions++;
  marks.recall1 += found(1);
  marks.recall5 += found(5);
  marks.recall10 += found(10);
  marks.reciprocal += first < 0 ? 0 : 1 / (first + 1);
}

/** Means over questions, with four decimals. */
export function meansOf({ questions, recall1, recall5, recall10, reciprocal }: Marks) {
  const mean = (sum: number) => Number((sum / Math.max(1, questions)).toFixed(4));
  return { "R@1": mean(recall1), "R@5": mean(recall5), "R@10": mean(recall10), MRR: mean(reciprocal) };
}

/** The share of pairs of a wanted and an unwanted one in which the wanted one scores higher; equal scores count half. */
export function areaUnderCurve(wanted: readonly number[], unwanted: readonly number[]): number {
  const duels = wanted.flatMap((score) => unwanted.map((other) => (Math.sign(score - other) + 1) / 2));
  return duels.reduce((sum, won) => sum + won, 0) / duels.length;
}
