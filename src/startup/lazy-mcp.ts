import type { McpHandler, ToolText } from "../core/ports/mcp.ts";

/** Nobody who starts a server waits for what only agents need: MCP is loaded with its first request. */
export function lazyMcp(): McpHandler {
  let loaded: Promise<McpHandler> | undefined;
  return async (exchange) => {
    loaded ??= import("../mcp/handler.ts").then(({ createMcp }) => createMcp());
    return (await loaded)(exchange);
  };
}

/** The tools that it has. */
export const lazyToolTexts = async (): Promise<readonly ToolText[]> =>
  (await import("../mcp/tools/all.ts")).toolTexts();
