import type { Language } from "../../test/relevance/sets.ts";
import { LANGUAGES, TOLD } from "../../test/relevance/sets.ts";
import { ask, rank } from "../ablate/run.ts";
import { USUAL } from "../ablate/variants.ts";
import type { Marks } from "../evaluate/question-set.ts";
import { mark, meansOf, noMarks } from "../evaluate/question-set.ts";
import type { Hundred } from "./hundred.ts";

const PARAPHRASED = [...TOLD.entries()].filter(([, { paraphrased }]) => paraphrased);

/** How well the memories of every other language are found by the paraphrases of each, as served; and the means of each. */
export async function measurePairs(hundred: Hundred, languages: readonly Language[]) {
  const pairs = [];
  const means = [];
  for (const asked of languages) {
    const all = noMarks();
    for (const stored of LANGUAGES.filter((language) => language !== asked)) {
      await hundred.store(stored);
      const one = noMarks();
      await measure(hundred, { asked, stored }, [one, all]);
      pairs.push({ asked, stored, ...meansOf(one) });
    }
    means.push({ asked, ...meansOf(all) });
  }
  return { pairs, means };
}

async function measure(
  { ctx }: Hundred,
  { asked, stored }: { readonly asked: Language; readonly stored: Language },
  sums: readonly Marks[],
): Promise<void> {
  for (const [i, { [asked]: pair }] of PARAPHRASED) {
    const found = await ask(ctx, { query: pair.question, group: stored, gold: [], category: "" }, false);
    const refs = (await rank(ctx, found, USUAL)).map(({ ref }) => ref);
    for (const marks of sums) mark(marks, refs, [String(i)]);
  }
}
