import { z } from "zod";
import { quoted } from "../core/kernel/quoting/quote.ts";
import { rounded } from "../core/kernel/text.ts";
import { MemoryStatus, MemoryType } from "../core/schema/memory.ts";
import { PossibleChange } from "../core/schema/observing/possible-change.ts";
import { joinSentences, splitSentences } from "../text/words/sentences.ts";
import { significantTerms, termsOf } from "../text/words/terms.ts";
import { charactersFor, cutTo, tokensOf } from "./tokens.ts";
import { Told, told } from "./told.ts";

/** Tokens of a memory's text on a card. */
const TEXT_TOKENS = 40;
const TEXT_MAX = charactersFor(TEXT_TOKENS);
/** The same of one by which another may have changed. */
const CHANGED_TOKENS = 20;
const CHANGED_MAX = charactersFor(CHANGED_TOKENS);
/** Of a longer text than this only so much is looked through for the part that fits the query. */
const LOOKED_THROUGH = 20_000;
export const BUDGET_DEFAULT = 800;

export const Budget = z
  .int()
  .min(100)
  .max(20_000)
  .default(BUDGET_DEFAULT)
  .describe("Tokens of the answer; some 70 a memory.");

/** What a search shows of a memory; `get` shows the rest. */
export const Card = z.object({
  id: z.string(),
  date: z.string().describe("From when it holds, else when it was written."),
  written: z.string().optional().describe("Where it holds from another day on."),
  text: z.string().describe("Cut; `get` shows all."),
  project: z.string().optional().describe("None for what is shared."),
  version: z.string().describe("For correct and forget."),
  status: z.string().optional().describe("Unless active; a successor took the place of one that was found."),
  may_have_changed: z.string().optional(),
  score: z.number().optional().describe("Chance that it answers."),
  why: z.string().optional(),
});
export type Card = z.infer<typeof Card>;

/** Fields of a memory that a card is made of; those of a ranking only where there is one. */
export const LISTED_FIELDS = [
  "id",
  "content",
  "created_at",
  "ts_valid_start",
  "fleet_id",
  "visibility",
  "status",
  "version",
  "may_have_changed",
] as const;
export const FOUND_FIELDS = [...LISTED_FIELDS, "score", "injected", "why"] as const;

/** A memory as those fields show it. */
export const CardRow = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.string(),
  ts_valid_start: z.string().nullish(),
  fleet_id: z.string().nullish(),
  visibility: z.string(),
  memory_type: MemoryType.optional(),
  status: MemoryStatus,
  version: z.string(),
  may_have_changed: z.array(PossibleChange.pick({ memory_id: true, content_preview: true })).nullish(),
  score: z.number().nullish(),
  injected: z.boolean().optional(),
  why: z.string().nullish(),
});
export type CardRow = z.infer<typeof CardRow>;

/** Whom a row belongs to: its project, unless it is for all of them. */
export const projectOf = ({ fleet_id, visibility }: Pick<CardRow, "fleet_id" | "visibility">): string | null =>
  visibility === "scope_org" ? null : (fleet_id ?? null);

/** The day from which a memory holds, and the one on which it was written where that is another. */
export function daysOf({
  ts_valid_start = null,
  created_at,
}: Pick<CardRow, "ts_valid_start" | "created_at">): Pick<Card, "date" | "written"> {
  const written = created_at.slice(0, DAY);
  const from = ts_valid_start?.slice(0, DAY) ?? written;
  return from === written ? { date: from } : { date: from, written };
}
const DAY = "2026-11-29".length;

/** The second of them as a mark of a card, behind what stands at the same place on each. */
export const writtenMark = ({ written }: Pick<Card, "written">): Told[] =>
  written === undefined ? [] : [told`written ${written}`];

/** The card of a memory; of a long text the part that holds most words of the query. */
export function cardOf(row: CardRow, query = ""): Card {
  const project = projectOf(row);
  return {
    id: row.id,
    ...daysOf(row),
    text: passageOf(row.content, query),
    ...(project === null ? {} : { project }),
    version: row.version,
    ...(row.injected ? { status: `${row.status}, successor` } : row.status === "active" ? {} : { status: row.status }),
    ...changedBy(row.may_have_changed?.[0]),
    ...(row.score == null ? {} : { score: rounded(row.score, 2) }),
    ...(row.why == null ? {} : { why: strongestOf(row.why) }),
  };
}

/** What may have taken its place, as a card has it. */
const changedBy = (newer: NonNullable<CardRow["may_have_changed"]>[number] | undefined) =>
  newer === undefined
    ? {}
    : { may_have_changed: `${newer.memory_id}: ${cutTo(quoted(newer.content_preview, CHANGED_MAX), CHANGED_TOKENS)}` };

/** The strongest reason of several, without its figure. */
const strongestOf = (why: string): string => (why.split(", ")[0] ?? "").replace(/ \([-+.\d]+\)$/, "");

/** The start of a text, or of a longer one the part from the sentence on that holds the rarest words of the query. */
function passageOf(content: string, query: string): string {
  const whole = quoted(content, TEXT_MAX);
  if (tokensOf(whole) <= TEXT_TOKENS || query === "") return cutTo(whole, TEXT_TOKENS);
  const sentences = splitSentences(content.slice(0, LOOKED_THROUGH));
  const words = sentences.map(termsOf);
  const weights = sentences.map(() => 0);
  for (const term of significantTerms(query)) {
    const holders = words.flatMap((own, index) => (own.some((word) => isForm(word, term)) ? [index] : []));
    for (const index of holders) weights[index] = (weights[index] ?? 0) + 1 / holders.length;
  }
  const best = weights.indexOf(Math.max(...weights));
  const upTo = quoted(joinSentences(sentences.slice(0, best + 1)), TEXT_MAX);
  if (tokensOf(upTo) <= TEXT_TOKENS) return cutTo(whole, TEXT_TOKENS);
  return `… ${cutTo(quoted(joinSentences(sentences.slice(best)), TEXT_MAX), TEXT_TOKENS)}`;
}

/** Letters in which two forms of a word are alike, at least. */
const STEM = 4;
/** Letters that an ending has at most. */
const ENDING = 3;

/** Whether a word may be another form of a term: the same, but for its ending. */
const isForm = (word: string, term: string): boolean =>
  word === term || (term.length > STEM && word.startsWith(term.slice(0, Math.max(STEM, term.length - ENDING))));

/** A card on a line, as a model reads it: what we say of a text stands before it, where no text can say it. */
export function lineOf({ id, date, written, text, project, status, score, version, may_have_changed }: Card): Told {
  const marks = [
    told`${date}`,
    ownerNamed(project),
    ...(status ? [told`${status}`] : []),
    ...(score == null ? [] : [told`${score.toFixed(2)}`]),
    ...writtenMark({ written }),
    ...(may_have_changed === undefined ? [] : [told`may have changed by ${may_have_changed}`]),
  ];
  return told`- [${Told.lines(marks, ", ")}; ${id}, version ${version}] ${text}`;
}

const SHARED = "shared";
/** Whom a row belongs to, in words. */
export const ownerNamed = (project: string | null = null): Told =>
  project === null ? told`${SHARED}` : project === SHARED ? told`"${SHARED}"` : Told.name(project);

/** As many cards as a budget of tokens holds, at least one, and how many there are beyond them. */
export function withinBudget(cards: readonly Card[], budget: number): { cards: Card[]; more: number } {
  let left = budget;
  const kept: Card[] = [];
  for (const card of cards) {
    // Programs hand either of the two forms to their model.
    left -= Math.max(tokensOf(lineOf(card).text), tokensOf(JSON.stringify(card)));
    if (left < 0 && kept.length > 0) break;
    kept.push(card);
  }
  return { cards: kept, more: cards.length - kept.length };
}

/** What to do about what an answer leaves out. */
export const restOf = (cards: readonly Card[], more: number): Told[] => [
  ...(more > 0 ? [told`${more} more: raise budget_tokens.`] : []),
  ...(cards.some(({ text }) => text.includes("…")) ? [told`get shows a whole memory by its id.`] : []),
];
