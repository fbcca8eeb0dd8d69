import { z } from "zod";
import type { Exchange } from "../ports/mcp.ts";
import type { ScopeSources } from "./scope.ts";
import { scopeOf } from "./scope.ts";
import type { ToolCall } from "./tool.ts";
import { askThrough } from "./tool.ts";

const ClientInfo = z.object({ name: z.string() });
const Named = z.object({
  params: z.object({
    clientInfo: ClientInfo.optional(),
    _meta: z.looseObject({ "io.modelcontextprotocol/clientInfo": ClientInfo.optional() }).optional(),
  }),
});

/** The name that a client gives itself; only newer ones repeat it with every request. */
function clientNameOf(body: unknown): string | null {
  const params = Named.safeParse(body).data?.params;
  return params?._meta?.["io.modelcontextprotocol/clientInfo"]?.name ?? params?.clientInfo?.name ?? null;
}

/** What a tool works with: `given` are its arguments. */
export function toolCall({ headers, body, caller }: Exchange, given: Readonly<Record<string, unknown>>): ToolCall {
  const sources: ScopeSources = { headers, bound: caller.agent_id, client: clientNameOf(body) };
  return { ask: askThrough(caller.invoke), scope: scopeOf(given, sources) };
}

/** Which tools a client wants to see, as its address or a header says; none for the usual ones. */
export const wantedTools = ({ headers, url }: Exchange): string | null =>
  URL.parse(url)?.searchParams.get("tools") ?? headers.get("x-cairn-tools");

const INTRODUCTIONS: readonly unknown[] = ["initialize", "server/discover"];

/** Whether a request is answered with the instructions. */
export const introducesItself = ({ body }: Exchange): boolean =>
  [body].flat().some((one) => INTRODUCTIONS.includes(z.object({ method: z.string() }).safeParse(one).data?.method));
