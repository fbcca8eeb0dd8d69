import { z } from "zod";
import { Uuid } from "../../schema/common.ts";
import { Content, Memory, type MemoryStatus } from "../../schema/memory.ts";
import { Met, metBy } from "../met.ts";
import { ScopeArguments } from "../scope.ts";
import type { ToolCall } from "../tool.ts";
import { tool } from "../tool.ts";

const asReader = ({ scope }: ToolCall) => (scope.reader === null ? {} : { agent_id: scope.reader });
const Old = Memory.pick({
  id: true,
  status: true,
  fleet_id: true,
  memory_type: true,
  visibility: true,
  agent_id: true,
});

/** Puts right what a memory says. */
export const correct = tool({
  name: "correct",
  title: "Correct a memory",
  description:
    "What a memory says has changed, or never was right. `changed` keeps the old statement as history and saves the new one; `wrong` mends the text in place.",
  input: z.strictObject({
    id: Uuid,
    content: Content,
    because: z.enum(["changed", "wrong"]).default("changed"),
    agent_id: ScopeArguments.agent_id,
  }),
  output: z.object({
    id: z.string().describe("The memory that now holds."),
    replaced: z.string().nullable().describe("The one that no longer does; null when mended in place."),
    replaced_status: z.string().nullable(),
    ...Met.pick({ similar: true, contradicts: true, note: true }).shape,
  }),
  async run(call, { id, content, because }) {
    const params = { memory_id: id };
    if (because === "wrong") {
      await call.ask("patchMemory", { params, query: asReader(call), body: { content } });
      const met = await metBy(call, [id], [content]);
      return { structured: { id, replaced: null, replaced_status: null, ...met }, text: `Mended ${id}.` };
    }
    const old = Old.parse(await call.ask("getMemory", { params, query: asReader(call) }));
    const { fleet_id, memory_type, visibility } = old;
    const type = ["outcome", "rule", "insight"].includes(memory_type) ? {} : { memory_type };
    const body = { content, fleet_id, visibility, ...type, agent_id: call.scope.agent_id };
    const { id: made } = Memory.pick({ id: true }).parse(await call.ask("writeMemory", { body }));
    const met = await metBy(call, [made], [content]);
    const replaced_status = await retire(call, id);
    const contradicts = met.contradicts.filter((one) => one.id !== id);
    const similar = met.similar.filter((one) => one.id !== id);
    return {
      structured: { id: made, replaced: id, replaced_status, ...met, contradicts, similar },
      text: `Saved ${made}; ${id} is ${replaced_status} now and stays as history.`,
    };
  },
});

/** Makes a memory outdated, unless the detector has judged it meanwhile. */
async function retire(call: ToolCall, memory_id: string): Promise<MemoryStatus> {
  const { status } = Old.parse(await call.ask("getMemory", { params: { memory_id }, query: asReader(call) }));
  if (status === "outdated") return status;
  await call.ask("changeMemoryStatus", { params: { memory_id }, query: asReader(call), body: { status: "outdated" } });
  return "outdated";
}

/** Hides memories, or brings them back. */
export const forget = tool({
  name: "forget",
  title: "Forget memories",
  description:
    "Delete memories that should not have been saved. They can be brought back with undo; for what merely changed, use correct.",
  destroys: true,
  repeats: true,
  input: z.strictObject({
    ids: z.array(Uuid).min(1).max(100),
    undo: z.boolean().default(false).describe("Bring them back."),
    agent_id: ScopeArguments.agent_id,
  }),
  output: z.object({ done: z.array(z.string()), missing: z.array(z.string()) }),
  async run(call, { ids, undo }) {
    const operation = undo ? "restoreMemory" : "removeMemory";
    const done: string[] = [];
    const missing: string[] = [];
    for (const memory_id of ids) {
      try {
        await call.ask(operation, { params: { memory_id }, query: asReader(call) });
        done.push(memory_id);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "NOT_FOUND")) throw error;
        missing.push(memory_id);
      }
    }
    const verb = undo ? "Brought back" : "Forgot";
    const way = undo || done.length === 0 ? "" : " Call again with undo to bring them back.";
    return {
      structured: { done, missing },
      text: `${verb} ${done.length}${missing.length > 0 ? `, ${missing.length} not there` : ""}.${way}`,
    };
  },
});
