import { z } from "zod";
import { preview } from "../kernel/text.ts";
import { MemoryStatus, MemoryType } from "../schema/memory.ts";

/** Characters that a token stands for, about. */
const TOKEN = 4;
/** Characters of a memory's text on a card: with id, date and the rest some 60 tokens. */
const TEXT_MAX = 160;
export const BUDGET_DEFAULT = 800;

export const Budget = z.int().min(100).max(20_000).default(BUDGET_DEFAULT).describe("Tokens that the answer may take.");

/** What a search shows of a memory; `get` shows the rest. */
export const Card = z.object({
  id: z.string(),
  date: z.string().describe("When it happened or was written."),
  text: z.string().describe("Cut; `get` shows all."),
  project: z.string().nullable(),
  status: z.string(),
  score: z.number().nullish().describe("Chance that it answers."),
  why: z.string().nullish(),
});
export type Card = z.infer<typeof Card>;

/** Fields of a memory that a card is made of. */
export const CARD_FIELDS = [
  "id",
  "content",
  "created_at",
  "ts_valid_start",
  "fleet_id",
  "agent_id",
  "memory_type",
  "status",
  "score",
  "similarity",
  "why",
] as const;

/** A memory as those fields show it. */
export const CardRow = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.string(),
  ts_valid_start: z.string().nullish(),
  fleet_id: z.string().nullish(),
  agent_id: z.string().optional(),
  memory_type: MemoryType.optional(),
  status: MemoryStatus,
  score: z.number().nullish(),
  similarity: z.number().nullish(),
  why: z.string().nullish(),
});
export type CardRow = z.infer<typeof CardRow>;

export const cardOf = (row: CardRow): Card => ({
  id: row.id,
  date: (row.ts_valid_start ?? row.created_at).slice(0, 10),
  text: preview(row.content.replace(/\s+/g, " "), TEXT_MAX),
  project: row.fleet_id ?? null,
  status: row.status,
  ...(row.score == null ? {} : { score: row.score }),
  ...(row.why == null ? {} : { why: row.why }),
});

/** A card on a line, as a model reads it. */
export function lineOf({ id, date, text, project, status, score }: Card): string {
  const marks = [
    date,
    project ?? "shared",
    ...(status === "active" ? [] : [status]),
    ...(score == null ? [] : [score.toFixed(2)]),
  ];
  return `- ${text} [${marks.join(", ")}; ${id}]`;
}

/** As many cards as a budget of tokens holds, at least one, and how many there are beyond them. */
export function withinBudget(cards: readonly Card[], budget: number): { cards: Card[]; more: number } {
  let left = budget * TOKEN;
  const kept: Card[] = [];
  for (const card of cards) {
    left -= lineOf(card).length + (card.why?.length ?? 0);
    if (left < 0 && kept.length > 0) break;
    kept.push(card);
  }
  return { cards: kept, more: cards.length - kept.length };
}
