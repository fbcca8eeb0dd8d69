import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { jsonFilesLike, jsonOf, needJsonFilesLike, shapeFault } from "./shared/files.ts";
import { isTooShort, memoryLines } from "./shared/memory.ts";

const TOOL = "letta";

const text = z.string().nullish();
const AgentFile = z.object({
  agents: z.array(z.unknown()),
  blocks: z.array(z.unknown()),
});
const Agent = z.object({ id: text, name: z.string(), block_ids: z.array(z.string()).nullish() });
const Block = z.object({ id: z.string(), label: text, value: z.string(), description: text });

const isAgentFile = (paths: ReadonlySet<string>): boolean =>
  paths.has("agents") &&
  (paths.has("agents[].block_ids") || paths.has("blocks[].value") || paths.has("agents[].agent_type"));

/** The memory blocks of an agent file. */
export const letta: FormatReader = {
  name: TOOL,
  title: "Memory blocks of Letta's agent files (.af)",
  isExport: false,
  detects: async (source) => (await jsonFilesLike(source, isAgentFile)).length > 0,
  read: readLetta,
};

async function* readLetta(source: Source): AsyncIterable<ReadLine> {
  for (const file of await needJsonFilesLike(source, isAgentFile, "an agent file of Letta"))
    yield* linesOf(file, await jsonOf(file));
}

function linesOf(file: SourceFile, value: JsonValue): ReadLine[] {
  const { data, error } = AgentFile.safeParse(value);
  if (error) return [{ place: { file: file.path, line: 1 }, fault: shapeFault(error) }];
  const owners = new Map<string, string>();
  for (const written of data.agents) {
    const agent = Agent.safeParse(written).data;
    for (const id of agent?.block_ids ?? []) if (!owners.has(id)) owners.set(id, agent?.name ?? "");
  }
  return data.blocks.flatMap((block, index) => blockLines({ file: file.path, line: index + 1 }, block, owners, file));
}

/** Blocks are numbered anew in each file: their ids are unique only with the agent's name. Empty ones say nothing. */
function blockLines(place: Place, written: unknown, owners: ReadonlyMap<string, string>, file: SourceFile): ReadLine[] {
  const { data, error } = Block.safeParse(written);
  if (error) return [{ place, fault: `blocks: ${shapeFault(error)}` }];
  const { id, label, value, description } = data;
  const agent = owners.get(id) || null;
  if (isTooShort(value)) return [];
  return memoryLines(place, {
    tool: TOOL,
    id: ["block", agent ?? file.path, label ?? id],
    text: value,
    subject: agent === null ? label : `${agent}, ${label ?? id}`,
    title: label,
    agent_id: agent,
    created_at: file.changed_at,
    imported: { id, label, description },
  });
}
