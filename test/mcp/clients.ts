import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";

/** What the tests ask of a client of either era. */
export interface TestClient {
  readonly era: "2026-07-28" | "2025";
  list(): Promise<{ name: string; inputSchema: unknown; outputSchema?: unknown; annotations?: unknown }[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  readonly raw: ModernClient | OlderClient;
  close(): Promise<void>;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

const INFO = { name: "Test Client", version: "1.0.0" };

export async function modernClient(url: string, headers: Record<string, string> = {}): Promise<TestClient> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new ModernHttp(new URL(url), { requestInit: { headers } }));
  return wrapped("2026-07-28", client);
}

export async function olderClient(url: string, headers: Record<string, string> = {}): Promise<TestClient> {
  const client = new OlderClient(INFO);
  // Safe: the transport's optional members are merely declared otherwise than exactOptionalPropertyTypes wants.
  await client.connect(
    new OlderHttp(new URL(url), { requestInit: { headers } }) as Parameters<typeof client.connect>[0],
  );
  return wrapped("2025", client);
}

export const CLIENTS = [modernClient, olderClient] as const;

function wrapped(era: TestClient["era"], client: ModernClient | OlderClient): TestClient {
  return {
    era,
    raw: client,
    list: async () => (await client.listTools()).tools,
    // Safe: neither SDK narrows a result to what a tool without tasks answers.
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

const Saved = z.object({ saved: z.array(z.object({ id: z.string() })) });
/** What `remember` says it saved. */
export const savedBy = (answer: unknown): { id: string }[] => Saved.parse(answer).saved;

const Cards = z.object({ memories: z.array(z.object({ id: z.string(), text: z.string() })) });
/** What a search or a list shows. */
export const cardsOf = (answer: unknown): { id: string; text: string }[] => Cards.parse(answer).memories;
