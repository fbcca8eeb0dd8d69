import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import { searchDocuments } from "../../src/documents/search.ts";
import type { Language } from "../../test/relevance/sets.ts";
import { TOLD } from "../../test/relevance/sets.ts";
import { ask, rank, TOP_K } from "../ablate/run.ts";
import { VARIANTS } from "../ablate/variants.ts";
import type { Marks } from "../evaluate/question-set.ts";
import { mark, meansOf, noMarks } from "../evaluate/question-set.ts";
import type { Hundred } from "./hundred.ts";

const WAYS = { "keyword only": "words", "vector only": "model", everything: "served" } as const;
const isWay = (name: string): name is keyof typeof WAYS => name in WAYS;

/** Names of what a question of a language finds, best first, by the way of searching. */
type Found = ReadonlyMap<string, readonly string[]>;

/** How well each language is found by itself, in the words of its memories and in others, by each way of searching. */
export async function measureTold({ ctx, store }: Hundred, languages: readonly Language[]) {
  const lines = [];
  for (const language of languages) {
    await store(language);
    for (const isParaphrase of [false, true]) {
      const asked = isParaphrase ? "paraphrased" : "in its words";
      for (const [way, marks] of await measure(ctx, language, isParaphrase))
        lines.push({ language, asked, way, ...meansOf(marks) });
    }
  }
  return lines;
}

async function measure(ctx: Ctx, language: Language, isParaphrase: boolean): Promise<ReadonlyMap<string, Marks>> {
  const sums = new Map([...Object.values(WAYS), "document"].map((way) => [way, noMarks()]));
  for (const [i, { [language]: pair, paraphrased }] of TOLD.entries()) {
    if (paraphrased !== isParaphrase) continue;
    const found = await find(ctx, language, pair.question);
    for (const [way, marks] of sums) mark(marks, found.get(way) ?? [], [String(i)]);
  }
  return sums;
}

async function find(ctx: Ctx, language: Language, query: string): Promise<Found> {
  const asked = await ask(ctx, { query, group: language, gold: [], category: "" }, false);
  const found = new Map<string, readonly string[]>();
  for (const variant of VARIANTS)
    if (isWay(variant.name)) {
      const rows = await rank(ctx, asked, variant);
      found.set(
        WAYS[variant.name],
        rows.map(({ ref }) => ref),
      );
    }
  const of = { tenant_id: STANDALONE_TENANT, query, collection: language, top_k: TOP_K };
  const { findings } = await searchDocuments(ctx, of);
  return found.set(
    "document",
    findings.results.map(({ doc_id }) => doc_id),
  );
}
