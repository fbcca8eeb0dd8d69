import { z } from "zod";
import { VISIBILITIES } from "../../core/schema/access.ts";
import { BULK_MAX, MEMORY_STATUSES, MEMORY_TYPES, WRITE_MODES } from "../../core/schema/memory.ts";
import { ToolError } from "../tool-error.ts";
import { AgentArgument, legacyTool } from "./declare.ts";

const Reply = z.looseObject({});

export const write = legacyTool({
  name: "write",
  description: `Store one memory (content), or up to ${BULK_MAX} at once (items).`,
  input: z.object({
    content: z.string().optional(),
    items: z
      .array(z.looseObject({}))
      .optional()
      .describe("Objects with content and the other arguments of one memory."),
    agent_id: AgentArgument,
    fleet_id: z.string().optional(),
    visibility: z.enum(VISIBILITIES).optional(),
    memory_type: z.enum(MEMORY_TYPES).optional(),
    weight: z.number().optional(),
    source_uri: z.string().optional(),
    run_id: z.string().optional(),
    metadata: z.looseObject({}).optional(),
    status: z.enum(MEMORY_STATUSES).optional(),
    write_mode: z.enum(WRITE_MODES).optional(),
  }),
  saves: ({ fleet_id }) => fleet_id === undefined,
  run: async (call, { content, items, agent_id: named, fleet_id = call.fleet, visibility, ...fields }) => {
    if ((content === undefined) === (items === undefined))
      throw new ToolError("INVALID_ARGUMENTS", "Give either content, for one memory, or items, for several.");
    const agent_id = call.agent(named);
    const scope = { agent_id, fleet_id, visibility };
    if (items !== undefined) {
      // What is said beside the items holds for each that says nothing else.
      const body = { ...scope, items: items.map((item) => ({ ...fields, ...item })) };
      return Reply.parse(await call.ask("writeMemories", { body }));
    }
    try {
      return Reply.parse(await call.ask("writeMemory", { body: { ...scope, ...fields, content } }));
    } catch (error) {
      const existing_id = storedBefore(error);
      if (existing_id === null) throw error;
      return { status: "duplicate", existing_id, agent_id };
    }
  },
});

/** The memory that says exactly the same; null for any other refusal, that of a merely similar text among them. */
function storedBefore(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code !== "DUPLICATE_MEMORY") return null;
  return error.details.reason === "exact_content_hash" ? error.details.existing_id : null;
}
