import { z } from "zod";
import type { Exchange } from "../core/ports/mcp.ts";
import { askThrough } from "./ask.ts";
import type { ScopeSources } from "./scope.ts";
import { placeOf, slug, speakerOf } from "./scope.ts";
import type { ToolCall } from "./tool.ts";

const ClientInfo = z.object({ name: z.string() });
const Named = z.object({
  params: z.object({
    clientInfo: ClientInfo.optional(),
    _meta: z.looseObject({ "io.modelcontextprotocol/clientInfo": ClientInfo.optional() }).optional(),
  }),
});

const SESSION = "mcp-session-id";

/** The name that a client gives itself; newer ones repeat it with every request, older ones in the session's id. */
function clientNameOf({ headers, body }: Pick<Exchange, "headers" | "body">): string | null {
  const params = Named.safeParse(body).data?.params;
  const said = params?._meta?.["io.modelcontextprotocol/clientInfo"]?.name ?? params?.clientInfo?.name;
  return said ?? /^(.+)\.[0-9a-f-]{36}$/.exec(headers.get(SESSION) ?? "")?.[1] ?? null;
}

/**
 * Names a session after the older client that introduces itself, which sends its id along from then on. Nothing is kept here,
 * and nothing trusts it: it says no more than the argument agent_id may.
 */
export function withSession(exchange: Exchange, response: Response): Response {
  const name = slug(clientNameOf(exchange));
  if (response.ok && name !== "" && introducesItself(exchange))
    response.headers.set(SESSION, `${name}.${crypto.randomUUID()}`);
  return response;
}

/**
 * What a tool works with: `given` are its arguments, and with `save` it stores something. Throws ToolError for an argument that
 * several projects are called by.
 */
export async function toolCall(
  exchange: Exchange,
  given: Readonly<Record<string, unknown>> = {},
  save = false,
): Promise<ToolCall> {
  const { headers, caller } = exchange;
  const sources: ScopeSources = { headers, bound: caller, client: clientNameOf(exchange) };
  const agent_id = speakerOf(given, sources);
  const ask = askThrough((operation, input) => caller.invoke(operation, { ...input, speaker: agent_id }));
  return { ask, scope: { agent_id, ...(await placeOf(ask, given, sources, save)) } };
}

/** Which set of tools a client wants to see, as its address or a header says; null for the usual ones. */
export const wantedTools = ({ headers, url }: Exchange): string | null =>
  URL.parse(url)?.searchParams.get("tools") || headers.get("x-cairn-tools") || null;

const INTRODUCTIONS: readonly unknown[] = ["initialize", "server/discover"];

/** Whether a request is answered with the instructions. */
export const introducesItself = ({ body }: Exchange): boolean =>
  [body].flat().some((one) => INTRODUCTIONS.includes(z.object({ method: z.string() }).safeParse(one).data?.method));
