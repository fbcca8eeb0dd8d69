import { z } from "zod";
import { MEMORY_STATUSES, MEMORY_TYPES } from "../../core/schema/memory.ts";
import { TOP_K_DEFAULT, TOP_K_MAX } from "../../core/schema/retrieval.ts";
import { AgentArgument, legacyTool } from "./declare.ts";
import { warningOf, warningsIn } from "./warnings.ts";

const Found = z.object({ items: z.array(z.unknown()), warnings: z.unknown() });
const Recalled = z.looseObject({ memories: z.array(z.unknown()), warnings: z.unknown() });

export const recall = legacyTool({
  name: "recall",
  description: "Search memory by meaning and keyword; with include_brief also a summary of what answers.",
  reads: true,
  input: z.object({
    query: z.string(),
    agent_id: AgentArgument,
    filter_agent_id: z.string().optional().describe("Only memories of this author."),
    memory_type: z.enum(MEMORY_TYPES).optional(),
    status: z.enum(MEMORY_STATUSES).optional(),
    fleet_ids: z.array(z.string()).optional(),
    include_brief: z.boolean().default(false),
    top_k: z.int().min(1).default(TOP_K_DEFAULT).describe(`At most ${TOP_K_MAX}.`),
  }),
  run: async (call, { query, agent_id, memory_type, status, include_brief, top_k, ...input }) => {
    const { filter_agent_id, fleet_ids } = input;
    const agent = call.agent(agent_id);
    // Where the client works its agent may look, whatever its home is.
    const own = fleet_ids === undefined ? call.fleet : undefined;
    const body = {
      query,
      ...(own === undefined ? { caller_agent_id: agent, fleet_ids } : { agent_id: agent, fleet_ids: [own] }),
      filter_agent_id,
      memory_type_filter: memory_type,
      status_filter: status,
      top_k: Math.min(top_k, TOP_K_MAX),
    };
    const capped = top_k > TOP_K_MAX ? `top_k ${top_k} was cut to ${TOP_K_MAX}, the most there is.` : undefined;
    if (include_brief) {
      const brief = Recalled.parse(await call.ask("recallMemories", { body: { ...body, items_alias: false } }));
      return { results: brief.memories, warning: warningOf([capped, ...warningsIn(brief.warnings)]), brief };
    }
    const { items, warnings } = Found.parse(await call.ask("searchMemories", { body }));
    return { results: items, warning: warningOf([capped, ...warningsIn(warnings)]) };
  },
});

export const entityGet = legacyTool({
  name: "entity_get",
  description: "Look up an entity by its id: names, relations, newest memories.",
  reads: true,
  input: z.object({ entity_id: z.string() }),
  run: async (call, { entity_id }) => z.looseObject({}).parse(await call.ask("getEntity", { params: { entity_id } })),
});
