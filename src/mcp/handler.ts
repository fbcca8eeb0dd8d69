import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { nearestWord } from "../kernel/text.ts";
import type { Exchange, McpHandler } from "../ports/mcp.ts";
import { RELEASE } from "../version.ts";
import { callTool } from "./call.ts";
import { instructionsFor } from "./instructions.ts";
import { LEGACY_TOOLS } from "./legacy/all.ts";
import { PROMPTS } from "./prompts.ts";
import { listResources, readResource } from "./resources.ts";
import { introducesItself, toolCall, wantedTools } from "./session.ts";
import type { Tool } from "./tool.ts";
import { ALL_TOOLS, DEFAULT_TOOLS } from "./tools/all.ts";

/** How long a client may keep a list, in milliseconds; they differ by caller. */
const LIST_TTL_MS = 60_000;
const CACHE = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;

/**
 * MCP over HTTP without sessions: revision 2026-07-28, and clients of the earlier ones, each request answered by a server of its
 * own.
 */
export function createMcp(): McpHandler {
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (!exchange) throw new Error("A request of MCP has lost its caller.");
      return serverFor(exchange);
    },
    { legacy: "reject", maxSubscriptions: 0 },
  );
  return async (exchange) => {
    const { url, headers, text, body } = exchange;
    const request = new Request(url, { method: "POST", headers, body: text });
    if (!(await isLegacyRequest(request, body))) {
      exchanges.set(request, exchange);
      return modern.fetch(request, { parsedBody: body });
    }
    const server = await serverFor(exchange);
    // Stateless: no session to begin with, and none to end.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      await server.close();
    }
  };
}

async function serverFor(exchange: Exchange): Promise<Server> {
  const instructions = introducesItself(exchange)
    ? { instructions: await instructionsFor(toolCall(exchange, {})) }
    : {};
  const server = new Server(
    { name: "cairn", title: "Cairn", version: RELEASE },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      cacheHints: { "tools/list": CACHE, "prompts/list": CACHE, "resources/list": CACHE, "server/discover": CACHE },
      ...instructions,
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listedFor(exchange).map(listedAs) }));
  server.setRequestHandler("tools/call", ({ params }) => callTool(exchange, params.name, params.arguments ?? {}));
  server.setRequestHandler("resources/list", async () => ({ resources: await listResources(toolCall(exchange, {})) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await readResource(toolCall(exchange, {}), uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, { uri });
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: PROMPTS.map(({ text: _, arguments: args, ...rest }) => ({ ...rest, arguments: [...args] })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => promptNamed(params.name, params.arguments ?? {}));
  return server;
}

/** The tools that a client sees. A set that nobody knows is the usual one. */
function listedFor(exchange: Exchange): readonly Pick<Tool, "listed">[] {
  switch (wantedTools(exchange)) {
    case "all":
      return ALL_TOOLS;
    case "legacy":
      return LEGACY_TOOLS;
    default:
      return DEFAULT_TOOLS;
  }
}

// Safe: `listed` is made of JSON Schemas of objects.
const listedAs = ({ listed }: Pick<Tool, "listed">) => listed as { name: string; inputSchema: { type: "object" } };

function promptNamed(name: string, given: Readonly<Record<string, string>>) {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) {
    const near = nearestWord(
      name,
      PROMPTS.map((one) => one.name),
    );
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt '${name}'.${near ? ` Did you mean '${near}'?` : ""}`,
    );
  }
  const missing = prompt.arguments.find((one) => one.required && !given[one.name]);
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt '${name}' needs ${missing.name}.`);
  const content = { type: "text" as const, text: prompt.text(given) };
  return { description: prompt.description, messages: [{ role: "user" as const, content }] };
}
