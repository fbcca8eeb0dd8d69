import { z } from "zod";
import { encodeCursor } from "../../core/kernel/cursor.ts";
import { quoted } from "../../core/kernel/quoting/quote.ts";
import { JsonRecord, Moment, Uuid } from "../../core/schema/common.ts";
import { ContradictionsReply } from "../../core/schema/contradiction.ts";
import {
  Budget,
  Card,
  CardRow,
  cardOf,
  daysOf,
  LISTED_FIELDS,
  lineOf,
  ownerNamed,
  projectOf,
  restOf,
  withinBudget,
  writtenMark,
} from "../cards.ts";
import { AnyStatus, AnyType } from "../enumerations.ts";
import { listedIn } from "../places/place.ts";
import { unknownProject } from "../places/projects.ts";
import type { Scope } from "../scope.ts";
import { LookedAt, ScopeAnswer, ScopeArguments, scopeAnswer, scopeLine, scopeNotes } from "../scope.ts";
import { charactersFor, cutTo } from "../tokens.ts";
import { fenceRule, newFence, Told, told } from "../told.ts";
import { tool } from "../tool.ts";
import { WindowArguments } from "../window.ts";

const IDS_MAX = 20;
const TEXT_TOKENS = 40;

/** All that a memory says; who wants its vector or its hash asks over HTTP. */
const Whole = z.object({
  id: z.string(),
  content: z.string(),
  memory_type: z.string(),
  status: z.string(),
  version: z.string(),
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

const RELATIONS: Readonly<Record<string, string>> = {
  supersedes: "replaces",
  superseded_by: "replaced by",
  may_supersede: "may replace",
  may_be_superseded_by: "may be replaced by",
};
const POSSIBLY = { supersedes: "may_supersede", superseded_by: "may_be_superseded_by" } as const;
/** What stands against a memory, and what may. */
const allAgainst = ({ contradictions, possible_conflicts }: ContradictionsReply): z.infer<typeof Against>[] =>
  [...contradictions, ...possible_conflicts.map((one) => ({ ...one, direction: POSSIBLY[one.direction] }))].map((one) =>
    Against.parse(one),
  );
const standsAgainst = ({ direction, content_preview, memory_id, status }: z.infer<typeof Against>): Told =>
  told`${RELATIONS[direction] ?? direction} [${memory_id}, ${status}]: ${cutTo(quoted(content_preview, charactersFor(TEXT_TOKENS)), TEXT_TOKENS)}`;

/** Whether all see a memory of another project: what stands against it is that project's alone. */
const isOnlySharedWith = ({ place }: Scope, { fleet_id, visibility }: z.infer<typeof Whole>): boolean =>
  visibility === "scope_org" && fleet_id !== null && !(place.kind === "project" && place.id === fleet_id);

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
          if (isOnlySharedWith(scope, memory)) return { ...memory, contradictions: [] };
          const against = ContradictionsReply.parse(await ask("getContradictions", { params: { memory_id }, query }));
          return { ...memory, contradictions: allAgainst(against) };
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "NOT_FOUND") return memory_id;
          throw error;
        }
      }),
    );
    const memories = found.filter((one) => typeof one !== "string");
    const missing = found.filter((one) => typeof one === "string");
    const fence = newFence();
    const shown = memories.map(({ content, id, status, version, agent_id, contradictions, ...row }) => {
      const { date, ...days } = daysOf(row);
      const marks = [told`${date}`, ownerNamed(projectOf(row)), told`${status}`, told`by ${Told.name(agent_id)}`];
      return Told.lines([
        told`[${Told.lines([...marks, ...writtenMark(days)], ", ")}; ${id}, version ${version}]`,
        Told.whole(content, fence),
        ...contradictions.map(standsAgainst),
      ]);
    });
    return {
      structured: { memories, missing },
      text: Told.lines(
        [
          ...(shown.length === 0 ? [] : [fenceRule(fence)]),
          ...shown,
          ...missing.map((id) => told`There is no memory ${id}; if it was deleted, forget with undo brings it back.`),
        ],
        "\n\n",
      ),
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
    created_after: Moment.optional(),
    created_before: Moment.optional(),
    ...WindowArguments,
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().max(500).optional().describe("`next_cursor` of the page before."),
    budget_tokens: Budget,
    ...ScopeArguments,
    project: LookedAt,
  }),
  output: z.object({
    memories: z.array(Card),
    next_cursor: z.string().nullable(),
    notes: z.array(z.string()),
    ...ScopeAnswer,
  }),
  async run(call, { budget_tokens, project: _, agent_id: __, ...filters }) {
    const { place, agent_id } = call.scope;
    const query = {
      ...filters,
      agent_id,
      fields: LISTED_FIELDS.join(","),
      ...listedIn(place),
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
    const notes =
      filters.cursor === undefined ? [...(await unknownProject(call, items)), ...scopeNotes(call.scope)] : [];
    const lines = cards.length === 0 ? [told`Nothing fits.`] : cards.map(lineOf);
    const next = next_cursor ? [told`More with cursor ${next_cursor}`] : [];
    const noted = notes.map((note) => told`${note}`);
    return {
      structured: { memories: cards, next_cursor, notes, ...scopeAnswer(call.scope) },
      text: Told.lines([...lines, ...restOf(cards, 0), ...next, ...noted, scopeLine(call.scope)]),
    };
  },
});
