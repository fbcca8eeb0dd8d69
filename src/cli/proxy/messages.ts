import { z } from "zod";
import { quoted } from "../../core/kernel/quoting/quote.ts";

/** A message of JSON-RPC, as far as a proxy looks into it. */
export const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  /** Of any shape: the server says what is wrong with them, under the message's id. */
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
export type Message = z.infer<typeof Message>;

export const PARSE_ERROR = -32_700;
/** What went wrong between here and the server. */
export const SERVER_ERROR = -32_000;

/** The line of an answer that is an error. */
export const errorLine = (id: Message["id"], code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message: quoted(message) } });

/** Whether somebody waits for an answer. */
export const isRequest = (message: Message): boolean => message.method !== undefined && message.id != null;

const REVISION = "io.modelcontextprotocol/protocolVersion";
const Named = z.looseObject({
  _meta: z.looseObject({ [REVISION]: z.string().optional() }).optional(),
  name: z.string().optional(),
  uri: z.string().optional(),
});

/**
 * The headers that revision 2026-07-28 mirrors from a message, or the revision that an older client agreed on when it
 * introduced itself.
 */
export function mirrored({ method, params }: Message, agreed: string | null): Record<string, string> {
  const named = Named.safeParse(params ?? {}).data;
  const revision = named?._meta?.[REVISION];
  if (revision === undefined) return agreed === null ? {} : { "MCP-Protocol-Version": agreed };
  const name = named?.name ?? named?.uri;
  return {
    "MCP-Protocol-Version": revision,
    ...(method === undefined ? {} : { "Mcp-Method": method }),
    ...(name === undefined ? {} : { "Mcp-Name": headerValue(name) }),
  };
}

/** A header's value: as it is where headers can hold it, else in base64 as that revision writes it. */
const headerValue = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && text.trim() === text ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;

const Initialize = z.object({
  clientInfo: z.object({ name: z.string() }).optional(),
  capabilities: z.looseObject({ roots: z.unknown().optional() }).optional(),
});

/** What an older client says of itself. */
export interface Introduction {
  readonly name: string | null;
  readonly hasRoots: boolean;
}

/** The introduction in a message; null where it is another one. */
export function introductionOf({ method, params }: Message): Introduction | null {
  if (method !== "initialize") return null;
  const said = Initialize.safeParse(params ?? {}).data;
  return { name: said?.clientInfo?.name ?? null, hasRoots: said?.capabilities?.roots !== undefined };
}

const Agreed = z.object({ result: z.object({ protocolVersion: z.string() }) });
/** The revision that the answer to an introduction names. */
export const agreedIn = (answer: unknown): string | null =>
  Agreed.safeParse(answer).data?.result.protocolVersion ?? null;

const Roots = z.object({ roots: z.array(z.object({ uri: z.string() })) });
/** Folders among the roots that a client names. */
export function foldersOf(result: unknown): string[] {
  const roots = Roots.safeParse(result).data?.roots ?? [];
  return roots.flatMap(({ uri }) => (uri.startsWith("file://") && URL.canParse(uri) ? [Bun.fileURLToPath(uri)] : []));
}
