import { z } from "zod";
import { OUTCOME_TYPES, RELATED_MAX } from "../../core/schema/outcome.ts";
import { ToolError } from "../tool-error.ts";
import { AgentArgument, legacyTool, ScopeArgument } from "./declare.ts";

const knobs = {
  top_k: z.int().min(1).max(20),
  min_similarity: z.number().min(0.1).max(0.9),
  fts_weight: z.number().min(0).max(1),
  freshness_floor: z.number().min(0).max(1),
  freshness_decay_days: z.int().min(7).max(730),
  recall_boost_cap: z.number().min(1).max(3),
  recall_decay_window_days: z.int().min(7).max(365),
  graph_max_hops: z.int().min(0).max(3),
  similarity_blend: z.number().min(0).max(1),
};
const Profile = z.object({ search_profile: z.looseObject({}).nullable() });

/** Ranking is measured and fitted as a whole; an agent that turned one knob of it would only find less. */
export const tune = legacyTool({
  name: "tune",
  description: "Show an agent's search profile. It cannot be changed here: give top_k with each search.",
  reads: true,
  input: z.object({ agent_id: AgentArgument, ...knobs }).partial(),
  run: async (call, { agent_id: named, ...changes }) => {
    const agent_id = call.agent(named);
    if (Object.values(changes).some((value) => value !== undefined))
      throw unserved("Ranking is not tuned by agent here. Give top_k and, over HTTP, min_similarity with each search.");
    try {
      const { search_profile } = Profile.parse(await call.ask("getAgent", { params: { agent_id } }));
      return { agent_id, search_profile: search_profile ?? {} };
    } catch (error) {
      // Whoever has not written yet has the profile of everybody.
      if (error instanceof ToolError && error.code === "NOT_FOUND") return { agent_id, search_profile: {} };
      throw error;
    }
  },
});

export const insights = legacyTool({
  name: "insights",
  description: "Not served here: see what contradicts a memory with caura_manage op=lineage.",
  reads: true,
  input: z.object({
    focus: z.enum(["contradictions", "failures", "stale", "divergence", "patterns", "discover"]),
    scope: ScopeArgument,
    fleet_id: z.string().optional(),
    agent_id: AgentArgument,
  }),
  run: async () => {
    throw unserved(
      "Insights are not drawn here. Contradictions are found with every write: see caura_manage op=lineage, or " +
        "caura_list with status=conflicted or status=outdated.",
    );
  },
});

export const evolve = legacyTool({
  name: "evolve",
  description: "Report what came of acting on memories: the outcome is stored, and the weights of related_ids move.",
  input: z.object({
    outcome: z.string(),
    outcome_type: z.enum(OUTCOME_TYPES),
    related_ids: z.array(z.string()).optional().describe(`At most ${RELATED_MAX}.`),
    scope: ScopeArgument,
    agent_id: AgentArgument,
    fleet_id: z.string().optional(),
  }),
  run: async (call, { agent_id, ...report }) =>
    z.looseObject({}).parse(await call.ask("reportOutcome", { body: { ...report, agent_id: call.agent(agent_id) } })),
});

const unserved = (message: string): ToolError => new ToolError("FEATURE_DISABLED", message);
