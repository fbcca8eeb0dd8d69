import type { ToolDescriptions } from "../schema/system.ts";

/**
 * What each agent-facing tool is for, in the words an agent reads; `stm_only` marks those a plugin does not show. None
 * without operations that do what it says.
 */
const TOOLS: Readonly<Record<string, { description: string; stm_only: boolean }>> = {
  cairn_recall: {
    description:
      "Search shared memory by meaning, keyword and name. Call it before you answer from what you only assume.",
    stm_only: false,
  },
  cairn_write: {
    description: "Store one statement, or up to 100 at once. Write what another agent will need: one fact a memory.",
    stm_only: false,
  },
  cairn_manage: {
    description: "Read, update, move to a status, delete memories by id, or see what replaced what.",
    stm_only: false,
  },
  cairn_list: { description: "Browse memories by author, type, status, weight and time.", stm_only: false },
  cairn_doc: {
    description: "Keep structured documents by collection and key; read, query by field, search by meaning.",
    stm_only: false,
  },
  cairn_entity_get: {
    description: "Look up a person, product, place or other entity and what is known of it.",
    stm_only: false,
  },
  cairn_stats: { description: "Count memories by type, agent and status.", stm_only: false },
  cairn_keystones: { description: "Read the mandatory rules. Call it first in every session.", stm_only: false },
  cairn_keystones_set: { description: "Write or delete a mandatory rule. Needs trust.", stm_only: true },
};

/** Tool names with their descriptions; with `enriched`, also whether a plugin leaves the tool out. */
export function toolDescriptions({ enriched }: { enriched: boolean }): ToolDescriptions {
  if (enriched) return { ...TOOLS };
  return Object.fromEntries(Object.entries(TOOLS).map(([name, { description }]) => [name, description]));
}
