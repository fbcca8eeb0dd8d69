import { z } from "zod";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { jsonFilesLike, jsonLine, needJsonFilesLike, shapeFault } from "./shared/files.ts";
import { entityLines, relationLines } from "./shared/graph.ts";
import { memoryLines } from "./shared/memory.ts";

const TOOL = "mcp-memory";

const Line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("entity"),
    name: z.string(),
    entityType: z.string().nullish(),
    observations: z.array(z.string()).default([]),
  }),
  z.object({ type: z.literal("relation"), from: z.string(), to: z.string(), relationType: z.string() }),
]);

const isGraph = (paths: ReadonlySet<string>): boolean =>
  paths.has("type") &&
  ((paths.has("name") && paths.has("entityType")) || (paths.has("from") && paths.has("relationType")));

/**
 * The memory file of the MCP reference server: entities with observations, and relations, a line each. It has no dates: the
 * file's own is that of its graph, and the statements have the order in which they stand.
 */
export const mcpMemory: FormatReader = {
  name: TOOL,
  title: "memory.jsonl of the Model Context Protocol's memory server",
  isExport: false,
  detects: async (source) => (await jsonFilesLike(source, isGraph)).length > 0,
  read: readGraph,
};

async function* readGraph(source: Source): AsyncIterable<ReadLine> {
  const files = await needJsonFilesLike(source, isGraph, "a memory file of the MCP memory server");
  for (const kind of KINDS) {
    for (const file of files) {
      for await (const line of linesOf(file)) if (kindOf(line) === kind) yield line;
    }
  }
}

/** What others refer to comes first. A file is read once for each, so that none need be kept in memory. */
const KINDS = ["entity", "relation", "memory"];
const kindOf = (line: ReadLine): string => ("record" in line ? line.record.record : "entity");

async function* linesOf(file: SourceFile): AsyncIterable<ReadLine> {
  let line = 0;
  for await (const text of file.lines()) {
    line++;
    if (text.trim() !== "") yield* recordsOf({ file: file.path, line }, text, file.changed_at);
  }
}

function recordsOf(place: Place, text: string, at: string): ReadLine[] {
  const read = jsonLine(text);
  if ("fault" in read) return [{ place, fault: read.fault }];
  const { data, error } = Line.safeParse(read.value);
  if (error) return [{ place, fault: shapeFault(error) }];
  if (data.type === "relation")
    return relationLines(place, { tool: TOOL, from: data.from, type: data.relationType, to: data.to, at });
  const { name, entityType, observations } = data;
  const statements = observations.flatMap((observation) =>
    memoryLines(place, {
      tool: TOOL,
      id: [name, observation],
      text: observation,
      subject: name,
      created_at: at,
      imported: { entity: name, entity_type: entityType },
    }),
  );
  return [...entityLines(place, { tool: TOOL, name, type: entityType, at }), ...statements];
}
