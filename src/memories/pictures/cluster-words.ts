import { createYielder, mapCooperatively } from "../../core/kernel/event-loop.ts";
import { contentWords, joinedPieces } from "../../text/words/content-words.ts";

/** How often a word is written in each of its forms, and in how many texts of each cluster it stands. */
interface Seen {
  readonly forms: Map<string, number>;
  readonly inClusters: Map<number, number>;
}

interface Ranked {
  readonly word: string;
  readonly score: number;
}

/**
 * Up to `most` words for each cluster of texts that are common in it and rare elsewhere, by class-based TF-IDF (Grootendorst,
 * "BERTopic", 2022): how many texts of the cluster have the word, times log(1 + A / f), with f the texts that have it at all and
 * A the mean of words per cluster. Yields to the event loop.
 */
export async function clusterWords(clusters: readonly (readonly string[])[], most: number): Promise<string[][]> {
  const yieldIfDue = createYielder();
  const seen = new Map<string, Seen>();
  let words = 0;
  for (const [cluster, texts] of clusters.entries()) {
    for (const text of texts) {
      for (const { stem, written } of contentWords(text)) {
        const { forms, inClusters } = seen.get(stem) ?? { forms: new Map(), inClusters: new Map() };
        increase(forms, written);
        increase(inClusters, cluster);
        seen.set(stem, { forms, inClusters });
        words++;
      }
      await yieldIfDue();
    }
  }
  const ranked: Ranked[][] = clusters.map(() => []);
  for (const { forms, inClusters } of seen.values()) {
    const all = [...inClusters.values()].reduce((sum, count) => sum + count, 0);
    const rarity = Math.log1p(words / clusters.length / all);
    const word = oftenest(forms);
    for (const [cluster, count] of inClusters) {
      // What one text of several says is no word for them.
      const isCommon = count > 1 || clusters[cluster]?.length === 1;
      if (isCommon) ranked[cluster]?.push({ word, score: count * rarity });
    }
    await yieldIfDue();
  }
  return mapCooperatively(ranked, (some) => best(some.sort(byScore), most));
}

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score || (a.word < b.word ? -1 : 1);

const increase = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** The form that is written most often, the first of those in the order of texts. */
const oftenest = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((most, one) => (one[1] > most[1] ? one : most))[0];

/** The first words; pieces of one word that score alike become the word, and others of it are left out. */
function best(ranked: readonly Ranked[], most: number): string[] {
  const chosen: Ranked[] = [];
  for (const { word, score } of ranked) {
    const place = chosen.findIndex((other) => joinedPieces(other.word, word) !== null);
    const same = chosen[place];
    if (same && same.score === score) chosen[place] = { word: joinedPieces(same.word, word) ?? word, score };
    else if (!same && chosen.length < most) chosen.push({ word, score });
  }
  return chosen.map(({ word }) => word);
}
