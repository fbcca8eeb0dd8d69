import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { quoted } from "../core/kernel/quoting/quote.ts";
import { nearestWord } from "../core/kernel/text.ts";
import type { Exchange, McpHandler } from "../core/ports/mcp.ts";
import { RELEASE } from "../version.ts";
import { answerBatch, isBatch } from "./batch.ts";
import { callTool, NAME_SHOWN, orRefusal } from "./call.ts";
import type { Extras } from "./extras.ts";
import { extraAt, NO_EXTRAS } from "./extras.ts";
import { instructionsFor } from "./instructions.ts";
import { LEGACY_TOOLS } from "./legacy/all.ts";
import { PROMPTS } from "./prompts.ts";
import { listResources, readResource } from "./resources.ts";
import { introducesItself, toolCall, wantedTools, withSession } from "./session.ts";
import type { Tool } from "./tool.ts";
import { ALL_TOOLS, DEFAULT_TOOLS } from "./tools/all.ts";

/** How long a client may keep a list, in milliseconds; they differ by caller. */
const LIST_TTL_MS = 60_000;
const CACHE = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;

/**
 * MCP over HTTP without sessions: revision 2026-07-28, and clients of the earlier ones, each request answered by a server of its
 * own.
 */
export function createMcp(extras: Extras = NO_EXTRAS): McpHandler {
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (!exchange) throw new Error("A request of MCP has lost its caller.");
      return serverFor(exchange, extras);
    },
    { legacy: "reject" },
  );
  return async (exchange) => {
    const { url, headers, text, body } = exchange;
    const wanted = wantedTools(exchange);
    if (wanted !== null && !Object.hasOwn(TOOL_SETS, wanted)) return noSuchSet(wanted, body);
    const request = new Request(url, { method: "POST", headers, body: text });
    if (!(await isLegacyRequest(request, body))) {
      if (asksToListen(body)) return nothingToListenTo(body.id);
      exchanges.set(request, exchange);
      return modern.fetch(request, { parsedBody: body });
    }
    if (!isBatch(body)) return answerOlder(exchange, request, extras);
    return answerBatch(body, exchange.signal, (message) => {
      const one = new Request(url, { method: "POST", headers, body: JSON.stringify(message) });
      return answerOlder({ ...exchange, body: message }, one, extras);
    });
  };
}

/** Answers a client of an earlier revision. */
async function answerOlder(exchange: Exchange, request: Request, extras: Extras): Promise<Response> {
  const server = await serverFor(exchange, extras);
  // Stateless: no session to begin with, and none to end.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return withSession(exchange, await transport.handleRequest(request, { parsedBody: exchange.body }));
  } finally {
    await server.close();
  }
}

async function serverFor(exchange: Exchange, extras: Extras): Promise<Server> {
  const instructions = introducesItself(exchange)
    ? { instructions: await instructionsFor(await toolCall(exchange)) }
    : {};
  const server = new Server(
    { name: "cairn", title: "Cairn", version: RELEASE },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      cacheHints: { "tools/list": CACHE, "prompts/list": CACHE, "resources/list": CACHE, "server/discover": CACHE },
      ...instructions,
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [...listedFor(exchange).map(listedAs), ...extras.tools.map((one) => one.listed)],
  }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: given = {} } }, context) => {
    const extra = extras.tools.find(({ listed }) => listed.name === name);
    return extra ? orRefusal(extra.run(given, context)) : callTool(exchange, name, given);
  });
  server.setRequestHandler("resources/list", async () => ({
    resources: [
      ...(await listResources(await toolCall(exchange))),
      ...extras.resources.map(({ content: _, ...listed }) => listed),
    ],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: extras.templates.map(({ textAt: _, ...listed }) => listed),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = extraAt(extras, uri) ?? (await readResource(await toolCall(exchange), uri));
    if (!found)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${quoted(uri, NAME_SHOWN)}.`, {
        uri: quoted(uri, NAME_SHOWN),
      });
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [
      ...PROMPTS.map(({ text: _, arguments: args, ...rest }) => ({ ...rest, arguments: [...args] })),
      ...extras.prompts.map(({ get: _, arguments: args, ...rest }) => ({ ...rest, arguments: [...args] })),
    ],
  }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }, context) => {
    const extra = extras.prompts.find((one) => one.name === name);
    return extra ? extra.get(given, context) : promptNamed(name, given);
  });
  return server;
}

/** The sets of tools that a client may ask for. */
const TOOL_SETS: Readonly<Record<string, readonly Pick<Tool, "listed">[]>> = {
  default: DEFAULT_TOOLS,
  all: ALL_TOOLS,
  legacy: LEGACY_TOOLS,
};

/** The tools that a client sees. */
const listedFor = (exchange: Exchange) => TOOL_SETS[wantedTools(exchange) ?? "default"] ?? DEFAULT_TOOLS;

const Identified = z.object({ id: z.union([z.string(), z.number()]) });

/** An error of JSON-RPC under status 200: of those, clients of either era show the message; of a 400, its raw body. */
const noSuchSet = (wanted: string, body: unknown): Response => {
  const known = Object.keys(TOOL_SETS);
  const near = nearestWord(wanted, known);
  const message = `There is no set of tools ${JSON.stringify(quoted(wanted, 60))}: tools is one of ${known.join(", ")}.${near ? ` Did you mean '${near}'?` : ""}`;
  const id = Identified.safeParse(body).data?.id ?? null;
  return Response.json({ jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InvalidParams, message } });
};

const Listening = z.object({ method: z.literal("subscriptions/listen"), id: z.union([z.string(), z.number()]) });
const asksToListen = (body: unknown): body is z.infer<typeof Listening> => Listening.safeParse(body).success;

/** Lists change only with what the caller does itself, so nobody is told of changes and no stream is held open for it. */
const nothingToListenTo = (id: string | number): Response =>
  Response.json(
    { jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.MethodNotFound, message: "Method not found" } },
    { status: 404 },
  );

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
      `There is no prompt '${quoted(name, NAME_SHOWN)}'.${near ? ` Did you mean '${near}'?` : ""}`,
    );
  }
  const missing = prompt.arguments.find((one) => one.required && !given[one.name]);
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt '${name}' needs ${missing.name}.`);
  const content = { type: "text" as const, text: prompt.text(given) };
  return { description: prompt.description, messages: [{ role: "user" as const, content }] };
}
