import { z } from "zod";
import type { BenchServer } from "./server.ts";

const SEARCH = { tool: "search", top_k: 5 };
const SAVE = { tool: "remember" };
const REVISION = "2025-11-25";

/** A way to reach Cairn, for an agent. */
export interface Door {
  readonly name: string;
  search(query: string): Promise<void>;
  save(content: string): Promise<void>;
  close(): Promise<void>;
}

const Result = z.object({ result: z.looseObject({ isError: z.boolean().optional() }) });

/** What a tool answered, which must be no refusal. */
function accept(text: string): void {
  const answer = Result.safeParse(JSON.parse(text)).data;
  if (!answer || answer.result.isError) throw new Error(text.slice(0, 500));
}

/** The three operations as they are. */
export const plainHttp = ({ call }: BenchServer): Door => ({
  name: "HTTP",
  search: async (query) => void (await call("POST", "/search", { query, top_k: SEARCH.top_k, view: "compact" })),
  save: async (content) => void (await call("POST", "/memories", { content })),
  close: async () => {},
});

const Saved = z.object({ id: z.string() });
const Looked = z.object({ checked_at: z.string().nullable() });
const POLL_MS = 15;

/** Over plain HTTP, what a save over MCP does: it looks for the like and waits for what contradicts. */
export function httpWithFindings(server: BenchServer): Door {
  const save = async (content: string) => {
    const { id } = Saved.parse((await server.call("POST", "/memories", { content })).body);
    const looking = server.call("POST", "/search", { query: content, top_k: 4, view: "compact" });
    for (;;) {
      const { body } = await server.call("GET", `/memories/${id}/contradictions`);
      if (Looked.parse(body).checked_at !== null) break;
      await Bun.sleep(POLL_MS);
    }
    await looking;
  };
  return { ...plainHttp(server), name: "HTTP with findings", save };
}

let asked = 0;
const request = (method: string, params: object) => ({ jsonrpc: "2.0", id: ++asked, method, params });
const toolCall = (name: string, input: object) => request("tools/call", { name, arguments: input });

/** The tools at /mcp. */
export function mcpHttp({ url }: BenchServer): Door {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
  };
  const tool = async (name: string, input: object) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify(toolCall(name, input)),
    });
    const text = await response.text();
    accept(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}"));
  };
  return { name: "MCP over HTTP", ...toolsOf(tool), close: async () => {} };
}

type CallTool = (name: string, input: object) => Promise<void>;

const toolsOf = (tool: CallTool): Pick<Door, "search" | "save"> => ({
  search: (query) => tool(SEARCH.tool, { query, top_k: SEARCH.top_k }),
  save: (content) => tool(SAVE.tool, { content }),
});

/** The tools by the proxy that harnesses start, which finds the server by its data folder. */
export async function mcpStdio(command: readonly string[], folder: string): Promise<Door> {
  const child = Bun.spawn([...command, "mcp", "--data", folder], {
    cwd: folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const waiting = new Map<number, (line: string) => void>();
  void readLines(child.stdout, (line) =>
    waiting.get(z.object({ id: z.int() }).safeParse(JSON.parse(line)).data?.id ?? 0)?.(line),
  );
  const send = (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.flush();
  };
  const ask = async (message: { readonly id: number }) => {
    const answered = new Promise<string>((resolve) => waiting.set(message.id, resolve));
    send(message);
    const line = await answered;
    waiting.delete(message.id);
    accept(line);
  };
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo };
  await ask(request("initialize", params));
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    name: "MCP over stdio",
    ...toolsOf((name, input) => ask(toolCall(name, input))),
    close: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") onLine(line);
  }
}
