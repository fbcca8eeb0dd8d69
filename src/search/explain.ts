import { rounded } from "../core/kernel/text.ts";
import type { Signal } from "./signals.ts";

/** What a signal says of a row, where it speaks for it and where it speaks against it; one that says nothing has no words. */
const REASONS: Readonly<Record<Signal, readonly [good: string, bad: string] | null>> = {
  meaning: ["close in meaning", "far in meaning"],
  context: ["closer together with the row before it", "farther together with the row before it"],
  words: ["holds words of the query", "holds only common words of the query"],
  share: ["holds much of the query", "holds little of the query"],
  covered: ["holds nearly all of the query", "repeats the query"],
  sole: ["alone holds the rarest word", "alone holds the rarest word"],
  names: ["holds a name or code of the query", "holds only a name of the query"],
  nearby: ["stands beside rows that hold words of the query", "stands beside rows that hold words of the query"],
  entity: ["names what the query names", "names what the query names"],
  related: ["names something related to what the query names", "names something related to what the query names"],
  speaker: ["said by someone the query names", "said by someone the query names"],
  asks: ["is itself a question", "is itself a question"],
  timed: ["speaks of a time, as asked", "speaks of a time"],
  person: ["names somebody, as asked", "names somebody"],
  reason: ["gives a reason, as asked", "gives a reason"],
  figure: ["gives a figure, as asked", "gives a figure"],
  date: ["is of the time asked for", "is of the time asked for"],
  fresh: ["is recent", "is old"],
  recent: ["is among the newest", "is not among the newest"],
  conflicted: ["is in an open conflict", "is in an open conflict"],
  overtaken: ["was overtaken", "was overtaken"],
  length: null,
};
const REASONS_SHOWN = 3;

/** Of a row whose vector was not compared with the question's: there is none, or either of them is silent. */
const NOT_COMPARED = ["not compared in meaning", "not compared in meaning"] as const;

/** What a row gains and loses through others: its run, and newer rows that say the same of the same. */
export interface ExplainContext {
  readonly has_cosine: boolean;
  readonly pull: number;
  readonly loss: number;
}

/** The strongest reasons for a row's place, in words, by what each signal adds. */
export function explain(shares: Readonly<Record<Signal, number>>, { has_cosine, pull, loss }: ExplainContext): string {
  const strongest = Object.entries(has_cosine ? REASONS : { ...REASONS, meaning: NOT_COMPARED })
    .flatMap(([signal, words]) => {
      // Safe: the keys of the table are the signals.
      const share = shares[signal as Signal];
      return words === null || rounded(share, 1) === 0 ? [] : [{ share, words: share > 0 ? words[0] : words[1] }];
    })
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
    .slice(0, REASONS_SHOWN)
    .map(({ share, words }) => `${words} (${share > 0 ? "+" : ""}${rounded(share, 1)})`);
  const drawn = rounded(pull, 1) > 0 ? [`drawn up by its run (+${rounded(pull, 1)})`] : [];
  const beaten = rounded(loss, 1) > 0 ? [`another time's row says the same of the same (${rounded(-loss, 1)})`] : [];
  return [...strongest, ...drawn, ...beaten].join(", ");
}
