import { z } from "zod";
import { ValidAt, Warning } from "../../schema/common.ts";
import { QUERY_MAX, RecallReply, TOP_K_MAX } from "../../schema/retrieval.ts";
import { Budget, CARD_FIELDS, Card, CardRow, cardOf, lineOf, withinBudget } from "../cards.ts";
import { nearestProject } from "../projects.ts";
import { ScopeAnswer, ScopeArguments, scopeLine } from "../scope.ts";
import type { ToolCall } from "../tool.ts";
import { tool } from "../tool.ts";
import { AnyStatus, AnyType } from "../words.ts";

const asked = {
  query: z.string().min(1).max(QUERY_MAX).describe("A question or keywords."),
  top_k: z.int().min(1).max(TOP_K_MAX).optional().describe("Most memories to look at."),
  memory_type: AnyType.optional(),
  as_of: ValidAt.optional().describe("What held at that time."),
  min_score: z.number().min(0).max(1).optional().describe("Leave out what scores less."),
  ...ScopeArguments,
};

type Asked = z.infer<z.ZodObject<typeof asked>>;

const bodyOf = ({ query, top_k, memory_type, as_of, min_score }: Asked, { scope }: ToolCall) => ({
  query,
  top_k,
  memory_type,
  valid_at: as_of,
  min_score,
  fields: CARD_FIELDS,
  ...(scope.project === null ? {} : { fleet_ids: [scope.project] }),
  ...(scope.reader === null ? {} : { caller_agent_id: scope.reader }),
});

const Warnings = z.array(Warning).nullable();
const Found = z.object({ items: z.array(CardRow), warnings: Warnings });

/** What a reply warns of, and a project that nobody knows. */
const notesOf = async (call: ToolCall, warnings: z.infer<typeof Warnings>, isEmpty: boolean): Promise<string[]> => [
  ...(warnings ?? []).map(({ message }) => message),
  ...(isEmpty ? await nearestProject(call) : []),
];

/** Finds memories, as cards. */
export const search = tool({
  name: "search",
  title: "Search memories",
  description:
    "Search before you ask the user or decide anew: what was decided, known or preferred. Finds by meaning, words and names. Answers with short cards; get shows a whole memory.",
  reads: true,
  input: z.strictObject({
    ...asked,
    status: AnyStatus.optional().describe("Only this status; outdated ones are left out unless asked for."),
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
    const { cards, more } = withinBudget(items.map(cardOf), input.budget_tokens);
    const notes = await notesOf(call, warnings, items.length === 0);
    const { project, project_source } = call.scope;
    const lines = cards.length === 0 ? ["Nothing was found."] : cards.map(lineOf);
    const rest = more > 0 ? [`${more} more: raise budget_tokens.`] : [];
    return {
      structured: { memories: cards, more, notes, project, project_source },
      text: [...lines, ...rest, ...notes, scopeLine(call.scope)].join("\n"),
    };
  },
});

const Recalled = RecallReply.pick({ summary: true, warnings: true }).extend({ memories: z.array(CardRow) });

/** Answers a question out of memories. */
export const recall = tool({
  name: "recall",
  title: "Answer from memory",
  description:
    "Ask a question and get an answer put together from memories, with the ids it rests on. Says so when nothing is known. For a list to choose from, use search.",
  reads: true,
  input: z.strictObject({
    ...asked,
    budget_tokens: Budget,
  }),
  output: z.object({ answer: z.string(), sources: z.array(Card), notes: z.array(z.string()), ...ScopeAnswer }),
  async run(call, input) {
    const max_tokens = Math.min(4_000, Math.max(16, Math.floor(input.budget_tokens / 2)));
    const body = { ...bodyOf(input, call), max_tokens };
    const { summary, memories, warnings } = Recalled.parse(await call.ask("recallMemories", { body }));
    const { cards } = withinBudget(memories.map(cardOf), input.budget_tokens - max_tokens);
    const notes = await notesOf(call, warnings, memories.length === 0);
    const { project, project_source } = call.scope;
    return {
      structured: { answer: summary, sources: cards, notes, project, project_source },
      text: [summary, ...cards.map(lineOf), ...notes, scopeLine(call.scope)].join("\n"),
    };
  },
});
