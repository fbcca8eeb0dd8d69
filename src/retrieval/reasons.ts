import { rounded } from "../kernel/text.ts";

/** What a row's evidence is made of. */
export type Share =
  | "meaning"
  | "context"
  | "words"
  | "nearby"
  | "entity"
  | "related"
  | "speaker"
  | "asks"
  | "time"
  | "fresh"
  | "status";
export type Shares = Readonly<Record<Share, number>>;

const REASONS: Readonly<Record<Share, string>> = {
  meaning: "close in meaning",
  context: "close together with the row before it",
  words: "holds words of the query",
  nearby: "stands beside rows that hold words of the query",
  entity: "names what the query names",
  related: "names something related to what the query names",
  speaker: "said by someone the query names",
  asks: "is itself a question",
  time: "speaks of the time asked for",
  fresh: "is recent",
  status: "is in an open conflict",
};
const REASONS_SHOWN = 3;

/** The strongest reasons for a row's place, in words; `pull` is what its run adds. */
export function explain(shares: Shares, pull: number): string {
  const strongest = Object.entries(shares)
    .filter((entry): entry is [Share, number] => entry[1] !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, REASONS_SHOWN)
    .map(([share, value]) => `${REASONS[share]} (${value > 0 ? "+" : ""}${rounded(value, 1)})`);
  const drawn = pull > 0 ? [`drawn up by its run (+${rounded(pull, 1)})`] : [];
  return [...strongest, ...drawn].join(", ");
}
