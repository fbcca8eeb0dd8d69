import { z } from "zod";
import { ToolError } from "../tool-error.ts";
import { AgentArgument, legacyTool, ScopeArgument } from "./declare.ts";

const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 50;
/** Trust that seeing deleted memories takes here. */
const SEES_DELETED = 3;

const filters = {
  agent_id: AgentArgument,
  scope: ScopeArgument,
  fleet_id: z.string().optional(),
  memory_type: z.string().optional(),
  status: z.string().optional(),
  include_deleted: z.boolean().default(false),
};
const Page = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullable() });

export const list = legacyTool({
  name: "list",
  description: "Browse memories by scope, author, type, status, weight and time.",
  reads: true,
  input: z.object({
    ...filters,
    written_by: z.string().optional(),
    weight_min: z.number().optional(),
    weight_max: z.number().optional(),
    created_after: z.string().optional(),
    created_before: z.string().optional(),
    happened_from: z.string().optional(),
    happened_to: z.string().optional(),
    utc_offset_minutes: z.int().optional(),
    sort: z.enum(["created_at", "weight", "recall_count"]).default("created_at"),
    order: z.enum(["asc", "desc"]).default("desc"),
    limit: z.int().min(1).default(LIMIT_DEFAULT).describe(`At most ${LIMIT_MAX}.`),
    cursor: z.string().optional().describe("next_cursor of the page before; only with the default sort."),
  }),
  run: async (call, { agent_id, limit, ...input }) => {
    if (input.include_deleted && call.trust < SEES_DELETED) {
      const details = { required: SEES_DELETED, trust: call.trust };
      throw new ToolError("AGENT_TRUST_TOO_LOW", `include_deleted needs trust ${SEES_DELETED}.`, details);
    }
    const query = { ...input, limit: Math.min(limit, LIMIT_MAX), agent_id: call.agent(agent_id) };
    const { items, next_cursor } = Page.parse(await call.ask("listMemories", { query }));
    const capped = limit > LIMIT_MAX ? { warning: `limit ${limit} was cut to ${LIMIT_MAX}, the most there is.` } : {};
    return { count: items.length, results: items, next_cursor, scope: input.scope, ...capped };
  },
});

export const stats = legacyTool({
  name: "stats",
  description: "Count memories by type, agent and status.",
  reads: true,
  input: z.object(filters),
  run: async (call, { agent_id, ...input }) => {
    const query = { ...input, agent_id: call.agent(agent_id) };
    return { ...z.looseObject({}).parse(await call.ask("memoryStats", { query })), scope: input.scope };
  },
});
