import { z } from "zod";
import type { cairnIn } from "../../support/command-line.ts";

export interface Answer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

const Answer: z.ZodType<Answer> = z.looseObject({
  id: z.number(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string(), data: z.unknown().optional() }).optional(),
}) as z.ZodType<Answer>;

export type Asked = readonly [method: string, params: object];
export const tool = (name: string, given: object = {}): Asked => ["tools/call", { name, arguments: given }];

/** What `cairn mcp` answers to each, in order, after its greeting. */
export async function askMcp(cairn: ReturnType<typeof cairnIn>, ...asked: Asked[]): Promise<Answer[]> {
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "demo", version: "1" } };
  const all: Asked[] = [["initialize", client], ...asked];
  const lines = all.map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const { out } = await cairn(["mcp"], `${lines.join("\n")}\n`);
  const answers = out.split("\n").map((line) => Answer.parse(JSON.parse(line)));
  return answers.sort((a, b) => a.id - b.id);
}
