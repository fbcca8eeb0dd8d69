import { z } from "zod";
import { encodeCursor } from "../../core/kernel/cursor.ts";
import { JsonRecord, Timestamp, Uuid } from "../../core/schema/common.ts";
import { ContradictionsReply } from "../../core/schema/contradiction.ts";
import { Budget, Card, CardRow, cardOf, LISTED_FIELDS, lineOf, projectOf, restOf, withinBudget } from "../cards.ts";
import { AnyStatus, AnyType } from "../enumerations.ts";
import { unknownProject } from "../projects.ts";
import { ScopeAnswer, ScopeArguments, scopeLine } from "../scope.ts";
import { cutTo } from "../tokens.ts";
import { tool } from "../tool.ts";

const IDS_MAX = 20;
const TEXT_TOKENS = 40;

/** All that a memory says; who wants its vector or its hash asks over HTTP. */
const Whole = z.object({
  id: z.string(),
  content: z.string(),
  memory_type: z.string(),
  status: z.string(),
  visibility: z.string(),
  agent_id: z.string(),
  fleet_id: z.string().nullable(),
  created_at: z.string(),
  ts_valid_start: z.string().nullable(),
  ts_valid_end: z.string().nullable(),
  source_uri: z.string().nullable(),
  metadata: JsonRecord.nullable(),
});
const Against = z.object({
  memory_id: z.string(),
  content_preview: z.string(),
  status: z.string(),
  direction: z.string(),
});

const standsAgainst = ({ direction, content_preview, memory_id, status }: z.infer<typeof Against>): string =>
  `${direction === "supersedes" ? "replaces" : "replaced by"}: ${cutTo(content_preview, TEXT_TOKENS)} [${memory_id}, ${status}]`;

/** Whole memories, with what stands against them. */
export const get = tool({
  name: "get",
  title: "Read whole memories",
  description: "The full text and fields of memories whose ids you have, and what contradicts or replaced them.",
  reads: true,
  input: z.strictObject({ ids: z.array(Uuid).min(1).max(IDS_MAX), agent_id: ScopeArguments.agent_id }),
  output: z.object({
    memories: z.array(Whole.extend({ contradictions: z.array(Against) })),
    missing: z.array(z.string()),
  }),
  async run({ ask, scope }, { ids }) {
    const query = { agent_id: scope.agent_id };
    const found = await Promise.all(
      ids.map(async (memory_id) => {
        try {
          const memory = Whole.parse(await ask("getMemory", { params: { memory_id }, query }));
          const against = ContradictionsReply.parse(await ask("getContradictions", { params: { memory_id }, query }));
          return { ...memory, contradictions: against.contradictions.map((one) => Against.parse(one)) };
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "NOT_FOUND") return memory_id;
          throw error;
        }
      }),
    );
    const memories = found.filter((one) => typeof one !== "string");
    const missing = found.filter((one) => typeof one === "string");
    const lines = memories.map(({ content, id, status, created_at, agent_id, contradictions, ...row }) => {
      const marks = [id, status, created_at.slice(0, 10), `by ${agent_id}`, projectOf(row) ?? "shared"];
      return [content, `[${marks.join(", ")}]`, ...contradictions.map(standsAgainst)].join("\n");
    });
    return {
      structured: { memories, missing },
      text: [
        ...lines,
        ...missing.map((id) => `There is no memory ${id}; if it was deleted, forget with undo brings it back.`),
      ].join("\n\n"),
    };
  },
});

const Page = z.object({ items: z.array(CardRow), next_cursor: z.string().nullable() });

/** Memories by what is known of them, newest first. */
export const list = tool({
  name: "list",
  title: "List memories",
  description:
    "Memories by type, status, author or date, newest first, page by page. To find by what they say, use search.",
  reads: true,
  input: z.strictObject({
    memory_type: AnyType.optional(),
    status: AnyStatus.optional(),
    written_by: ScopeArguments.agent_id.describe("Only memories of this agent."),
    created_after: Timestamp.optional(),
    created_before: Timestamp.optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().max(500).optional().describe("`next_cursor` of the page before."),
    budget_tokens: Budget,
    ...ScopeArguments,
  }),
  output: z.object({
    memories: z.array(Card),
    next_cursor: z.string().nullable(),
    notes: z.array(z.string()),
    ...ScopeAnswer,
  }),
  async run(call, { budget_tokens, project: _, agent_id: __, ...filters }) {
    const { project, project_source, agent_id } = call.scope;
    const query = {
      ...filters,
      agent_id,
      fields: LISTED_FIELDS.join(","),
      ...(project === null ? {} : { fleet_id: project, with_shared: true }),
    };
    const page = Page.parse(await call.ask("listMemories", { query }));
    const { items } = page;
    const { cards, more } = withinBudget(
      items.map((row) => cardOf(row)),
      budget_tokens,
    );
    // What the budget left out comes with the next page.
    const last = items[cards.length - 1];
    const next_cursor = more > 0 && last ? encodeCursor(last) : page.next_cursor;
    const notes = filters.cursor === undefined ? await unknownProject(call, items) : [];
    const lines = cards.length === 0 ? ["Nothing fits."] : cards.map(lineOf);
    const next = next_cursor ? [`More with cursor ${next_cursor}`] : [];
    return {
      structured: { memories: cards, next_cursor, notes, project, project_source },
      text: [...lines, ...restOf(cards, 0), ...next, ...notes, scopeLine(call.scope)].join("\n"),
    };
  },
});
