import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { nearestWord } from "../kernel/text.ts";
import type { Exchange } from "../ports/mcp.ts";
import { toolCall } from "./session.ts";
import type { Tool } from "./tool.ts";
import { ToolError } from "./tool.ts";
import { ALL_TOOLS } from "./tools/all.ts";

interface ToolResult {
  readonly [member: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * Runs a tool by its name. What it refuses, wrong arguments among it, is a result that is an error, so that a model can mend
 * it. Throws ProtocolError for a name that no tool has.
 */
export async function callTool(
  exchange: Exchange,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const tool = ALL_TOOLS.find((one) => one.name === name);
  if (!tool) throw noSuchTool(name);
  try {
    const parsed = tool.input.safeParse(given, { reportInput: true });
    if (!parsed.success) throw new ToolError("INVALID_ARGUMENTS", faultsOf(tool, parsed.error));
    const { structured, text } = await tool.run(toolCall(exchange, parsed.data), parsed.data);
    return { content: [{ type: "text", text }], structuredContent: { ...structured } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    return { content: [{ type: "text", text: JSON.stringify({ error: { code, message, details } }) }], isError: true };
  }
}

function noSuchTool(name: string): ProtocolError {
  const near = nearestWord(
    name,
    ALL_TOOLS.map((one) => one.name),
  );
  const message = `There is no tool '${name}'.${near ? ` Did you mean '${near}'?` : ""}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** What is wrong with arguments, with the nearest name or value that there is. */
function faultsOf({ name, input }: Tool, error: z.ZodError): string {
  const faults = error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys") {
      const known = Object.keys(input.shape);
      return issue.keys.map((key) => `${name} has no argument '${key}'${guess(key, known)}`).join("; ");
    }
    const path = issue.path.join(".");
    if (issue.code === "invalid_value" && typeof issue.input === "string")
      return `${path} is one of ${issue.values.join(", ")}, which '${issue.input.slice(0, 60)}' is not${guess(issue.input, issue.values.map(String))}`;
    return issue.input === undefined ? `${path} is missing` : `${path}: ${issue.message}`;
  });
  return `${faults.join("; ")}.`;
}

function guess(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? "" : `: did you mean '${near}'?`;
}
