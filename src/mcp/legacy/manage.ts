import { z } from "zod";
import type { CallInput } from "../../core/ports/mcp.ts";
import { MEMORY_STATUSES, MEMORY_TYPES } from "../../core/schema/memory.ts";
import { IDS_MAX } from "../../core/schema/memory-change.ts";
import { asSeen, SeenVersion } from "../seen.ts";
import { told } from "../told.ts";
import type { LegacyAnswer, LegacyCall } from "./declare.ts";
import { AgentArgument, legacyTool, required } from "./declare.ts";

const Input = z.object({
  op: z.enum(["read", "update", "transition", "delete", "bulk_delete", "lineage"]),
  memory_id: z.string().optional().describe("All ops but bulk_delete."),
  memory_ids: z.array(z.string()).optional().describe(`bulk_delete: at most ${IDS_MAX}.`),
  status: z.enum(MEMORY_STATUSES).optional().describe("transition, update."),
  content: z.string().optional(),
  memory_type: z.enum(MEMORY_TYPES).optional(),
  weight: z.number().optional(),
  title: z.string().optional(),
  metadata: z.looseObject({}).optional(),
  source_uri: z.string().optional(),
  version: SeenVersion,
  agent_id: AgentArgument,
});
type Input = z.infer<typeof Input>;

/** Where a memory is found, and by whom. */
interface Address {
  readonly params: { readonly memory_id: string };
  readonly query: { readonly agent_id: string };
}

export const manage = legacyTool({
  name: "manage",
  description:
    "One memory: read, update, transition to a status, delete, lineage (what it replaced and what replaced it); or bulk_delete.",
  destroys: true,
  input: Input,
  run: async (call, { op, memory_id, memory_ids, agent_id, version, ...fields }) => {
    const agent = call.agent(agent_id);
    if (op === "bulk_delete") return bulkDelete(call, required(op, "memory_ids", memory_ids), agent);
    const address = { params: { memory_id: required(op, "memory_id", memory_id) }, query: { agent_id: agent } };
    const seen = { ...address, version };
    switch (op) {
      case "read":
        return read(call, address);
      case "update":
        return z.looseObject({}).parse(await asSeen(call.ask("patchMemory", { ...seen, body: fields })));
      case "transition":
        return transition(call, seen, required(op, "status", fields.status));
      case "delete":
        await asSeen(call.ask("removeMemory", seen));
        return told`Memory ${address.params.memory_id} deleted.`;
      case "lineage":
        return lineage(call, address);
      default:
        return op satisfies never;
    }
  },
});

/** Without the look at the vector, which tells an agent nothing. */
async function read(call: LegacyCall, address: Address): Promise<LegacyAnswer> {
  const found = z.looseObject({}).parse(await call.ask("getMemory", address));
  const { embedding_preview: _preview, embedding_stats: _stats, ...memory } = found;
  return memory;
}

const Moved = z.object({ old_status: z.string(), new_status: z.string() });

async function transition(
  call: LegacyCall,
  address: Address & Pick<CallInput, "version">,
  status: Input["status"],
): Promise<LegacyAnswer> {
  const moved = Moved.parse(await asSeen(call.ask("changeMemoryStatus", { ...address, body: { status } })));
  return told`Memory ${address.params.memory_id} status updated: ${moved.old_status} -> ${moved.new_status}`;
}

async function bulkDelete(call: LegacyCall, ids: readonly string[], agent_id: string): Promise<LegacyAnswer> {
  const reply = await call.ask("removeMemories", { body: { ids, agent_id } });
  const { deleted } = z.object({ deleted: z.int() }).parse(reply);
  return { deleted, requested: ids.length };
}

const Line = z.object({
  memory_id: z.string(),
  status: z.string(),
  superseded_by: z.looseObject({ id: z.string() }).nullable(),
  superseded_memories: z.array(z.unknown()),
});

/** `superseded_by` is, as in the rest of the contract, the older memory that this one replaced. */
async function lineage(call: LegacyCall, address: Address): Promise<LegacyAnswer> {
  const found = Line.parse(await call.ask("getContradictions", address));
  const { memory_id: id, status, superseded_by, superseded_memories: supersessors } = found;
  return { this: { id, status, supersedes_id: superseded_by?.id ?? null }, superseded_by, supersessors };
}
