import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { quoted, quotedMembers } from "../core/kernel/quoting/quote.ts";
import { nearestWord } from "../core/kernel/text.ts";
import type { Exchange } from "../core/ports/mcp.ts";
import { faultsOf } from "./faults.ts";
import { LEGACY_TOOLS } from "./legacy/all.ts";
import { callLegacy, legacyNamed } from "./legacy/call.ts";
import { meantBy } from "./meant.ts";
import { toolCall } from "./session.ts";
import { Told } from "./told.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { ToolError } from "./tool-error.ts";
import { ALL_TOOLS } from "./tools/all.ts";

/**
 * Runs a tool by its name. What it refuses, wrong arguments among it, is a result that is an error, so that a model can mend
 * it. Throws ProtocolError for a name that no tool has.
 */
export async function callTool(
  exchange: Exchange,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const older = legacyNamed(name);
  if (older) return callLegacy(exchange, older, given);
  const tool = ALL_TOOLS.find((one) => one.name === name);
  if (!tool) throw noSuchTool(name);
  return orRefusal(run(exchange, tool, given));
}

async function run(exchange: Exchange, tool: Tool, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const parsed = tool.input.safeParse(meantBy(tool, given), { reportInput: true });
  if (!parsed.success) throw new ToolError("INVALID_ARGUMENTS", faultsOf(tool, parsed.error));
  const call = await toolCall(exchange, parsed.data, tool.saves(parsed.data));
  const { structured, text } = await tool.run(call, parsed.data);
  return { content: [{ type: "text", text: text.text }], structuredContent: quotedMembers(structured) };
}

/** What a tool answers, or its refusal as a result that is an error, so that a model can mend it. */
export async function orRefusal<T>(answer: Promise<T>): Promise<T | ToolResult> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    const { text } = Told.json({ error: { code, message, details } });
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Characters of a name that nothing has, as an error repeats it. */
export const NAME_SHOWN = 200;

function noSuchTool(name: string): ProtocolError {
  const known = [...ALL_TOOLS, ...LEGACY_TOOLS].map((one) => one.name);
  const near = nearestWord(name, known);
  const message = `There is no tool '${quoted(name, NAME_SHOWN)}'.${near ? ` Did you mean '${near}'?` : ""}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
