import { z } from "zod";
import { Moment, Warning } from "../../core/schema/common.ts";
import { LEAST_SUMMED_UP, likelyOf, QUERY_MAX, RecallReply, TOP_K_MAX } from "../../core/schema/retrieval.ts";
import { Budget, Card, CardRow, cardOf, FOUND_FIELDS, lineOf, restOf, withinBudget } from "../cards.ts";
import { AnyStatus, AnyType } from "../enumerations.ts";
import { searchedIn } from "../places/place.ts";
import { unknownProject } from "../places/projects.ts";
import { LookedAt, ScopeAnswer, ScopeArguments, scopeAnswer, scopeLine, scopeNotes } from "../scope.ts";
import { fenceRule, newFence, Told, told } from "../told.ts";
import type { ToolCall } from "../tool.ts";
import { tool } from "../tool.ts";
import { WindowArguments } from "../window.ts";

/** Some more than fit into the usual budget, so that it tells of those left out. */
const TOP_K = 12;

const asked = {
  query: z.string().min(1).max(QUERY_MAX).describe("A question or keywords."),
  top_k: z.int().min(1).max(TOP_K_MAX).default(TOP_K).describe("Memories looked at."),
  memory_type: AnyType.optional(),
  as_of: Moment.optional().describe("What held at that time."),
  ...WindowArguments,
  min_score: z.number().min(0).max(1).optional().describe("Leave out what scores less."),
  ...ScopeArguments,
  project: LookedAt,
};

type Asked = z.infer<z.ZodObject<typeof asked>>;

const bodyOf = (
  { query, top_k, memory_type, as_of, min_score, happened_from, happened_to, utc_offset_minutes }: Asked,
  { scope }: ToolCall,
) => ({
  query,
  top_k,
  memory_type,
  valid_at: as_of,
  happened_from,
  happened_to,
  utc_offset_minutes,
  min_score,
  fields: FOUND_FIELDS,
  agent_id: scope.agent_id,
  ...searchedIn(scope.place),
});

const Warnings = z.array(Warning).nullable();
const Found = z.object({ items: z.array(CardRow), warnings: Warnings });

/** What may answer, and how many rows hardly do; whoever names a score has chosen already. */
function likely(
  items: readonly CardRow[],
  min_score: number | undefined,
): { rows: readonly CardRow[]; notes: string[] } {
  const rows = min_score === undefined ? likelyOf(items) : items;
  const left = items.length - rows.length;
  return { rows, notes: left > 0 ? [`${left} that hardly answer left out: min_score 0 shows them.`] : [] };
}

/** What has the status that was asked for, then what took its place: a budget may leave no room for both. */
const askedFirst = (rows: readonly CardRow[], status: string | undefined): readonly CardRow[] =>
  status === undefined ? rows : rows.toSorted((a, b) => Number(a.status !== status) - Number(b.status !== status));

/** What a reply warns of, a project that nobody knows, and what was not looked at. */
const notesOf = async (
  call: ToolCall,
  warnings: z.infer<typeof Warnings>,
  found: readonly CardRow[],
): Promise<string[]> => [
  ...(warnings ?? []).map(({ message }) => message),
  ...(await unknownProject(call, found)),
  ...scopeNotes(call.scope),
];

const notesTold = (notes: readonly string[]): Told[] => notes.map((note) => told`${note}`);

/** Finds memories, as cards. */
export const search = tool({
  name: "search",
  title: "Search memories",
  description:
    "Search before you ask the user or decide anew: what was decided, known or preferred. Finds by meaning, words and names. Answers with cards; get shows all of one.",
  reads: true,
  input: z.strictObject({
    ...asked,
    status: AnyStatus.optional().describe("Only this status; without it none outdated."),
    budget_tokens: Budget,
  }),
  output: z.object({
    memories: z.array(Card),
    more: z.int().describe("Found, and left out of this answer by the budget."),
    notes: z.array(z.string()),
    ...ScopeAnswer,
  }),
  async run(call, input) {
    const body = { ...bodyOf(input, call), status: input.status };
    const { items, warnings } = Found.parse(await call.ask("searchMemories", { body }));
    const { rows, notes: left } = likely(items, input.min_score);
    const { cards, more } = withinBudget(
      askedFirst(rows, input.status).map((row) => cardOf(row, input.query)),
      input.budget_tokens,
    );
    const notes = [...left, ...(await notesOf(call, warnings, items))];
    const lines = cards.length === 0 ? [told`Nothing was found.`] : cards.map(lineOf);
    return {
      structured: { memories: cards, more, notes, ...scopeAnswer(call.scope) },
      text: Told.lines([...lines, ...restOf(cards, more), ...notesTold(notes), scopeLine(call.scope)]),
    };
  },
});

const Recalled = RecallReply.pick({ summary: true, warnings: true }).extend({ memories: z.array(CardRow) });

/** Answers a question out of memories. */
export const recall = tool({
  name: "recall",
  title: "Answer from memory",
  description:
    "Answers a question out of memories, with the ids it rests on; says so when nothing is known. For a list, use search.",
  reads: true,
  input: z.strictObject({
    ...asked,
    budget_tokens: Budget,
  }),
  output: z.object({ answer: z.string(), sources: z.array(Card), notes: z.array(z.string()), ...ScopeAnswer }),
  async run(call, input) {
    const max_tokens = Math.min(4_000, Math.max(16, Math.floor(input.budget_tokens / 2)));
    const body = { ...bodyOf(input, call), min_score: input.min_score ?? LEAST_SUMMED_UP, max_tokens };
    const { summary, memories, warnings } = Recalled.parse(await call.ask("recallMemories", { body }));
    const { cards } = withinBudget(
      memories.map((row) => cardOf(row, input.query)),
      input.budget_tokens - max_tokens,
    );
    const notes = await notesOf(call, warnings, memories);
    const fence = newFence();
    return {
      structured: { answer: summary, sources: cards, notes, ...scopeAnswer(call.scope) },
      text: Told.lines([
        fenceRule(fence),
        Told.whole(summary, fence),
        ...cards.map(lineOf),
        ...notesTold(notes),
        scopeLine(call.scope),
      ]),
    };
  },
});
