import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CAIRN } from "../../../fault/server.ts";
import type { ToolResult } from "../../../mcp/clients.ts";
import { cardsOf } from "../../../mcp/clients.ts";
import type { Place } from "../places.ts";
import type { Act, Answer, Door, House } from "./door.ts";
import { QUERY } from "./door.ts";

type Transport = Parameters<Client["connect"]>[0];

/** An agent over `cairn mcp`, started in the folder. */
export const overStdio = ({ data }: House): Door =>
  throughTools(({ folder }) => {
    const [command = "", ...words] = CAIRN;
    const env = { PATH: process.env.PATH ?? "", HOME: data, XDG_CONFIG_HOME: "/nonexistent", CAIRN_EMBEDDER: "hash" };
    const args = [...words, "mcp", "--data", data];
    return new StdioClientTransport({ command, args, env, cwd: folder, stderr: "ignore" });
  });

/** An agent over HTTP, whose client says in a header which project it is. */
export const overHttp = ({ url }: House): Door =>
  throughTools(({ standing }) => {
    const headers: Record<string, string> = typeof standing === "object" ? { "X-Cairn-Project": standing.project } : {};
    return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  });

function throughTools(transportIn: (place: Place) => Transport): Door {
  const clients = new Map<string, Promise<Client>>();
  /** One session in each place. */
  const clientIn = (place: Place): Promise<Client> => {
    const known = clients.get(place.name) ?? connected(transportIn(place));
    clients.set(place.name, known);
    return known;
  };
  const call = async (place: Place, name: string, given: Record<string, unknown>): Promise<ToolResult> =>
    // Safe: the SDK does not narrow a result to what a tool without tasks answers.
    (await (await clientIn(place)).callTool({ name, arguments: given })) as unknown as ToolResult;
  const as =
    (name: string, given: Record<string, unknown> = {}): Act =>
    async (place) =>
      answerOf(await call(place, name, given));
  return {
    acts: {
      write: async (place, content) => answerOf(await call(place, "remember", { content })),
      search: as("search", { query: QUERY, top_k: 20, min_score: 0, budget_tokens: 4_000 }),
      recall: as("recall", { query: QUERY, top_k: 20, min_score: 0 }),
      list: as("list", { limit: 50, budget_tokens: 4_000 }),
      keystones: as("keystones"),
      forget: async (place, text) => {
        const listed = await call(place, "list", { limit: 50, budget_tokens: 8_000 });
        const ids = cardsOf(listed.structuredContent).flatMap((card) => (card.text.includes(text) ? [card.id] : []));
        return answerOf(await call(place, "forget", { ids }));
      },
    },
    close: async () => {
      for (const client of await Promise.all(clients.values())) await client.close();
    },
  };
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "table", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

const answerOf = ({ content, structuredContent, isError = false }: ToolResult): Answer => ({
  said: [...content.map(({ text = "" }) => text), JSON.stringify(structuredContent ?? {})].join("\n"),
  isRefused: isError,
});
