import { z } from "zod";
import type { TestClient, ToolResult } from "../clients.ts";

/** What a tool refuses with. */
export const refusalIn = ({ isError, content }: ToolResult): { code: string; message: string; details: unknown } => {
  if (!isError) throw new Error(`Not refused: ${content[0]?.text}`);
  return z
    .object({ error: z.object({ code: z.string(), message: z.string(), details: z.unknown() }) })
    .parse(JSON.parse(content[0]?.text ?? "")).error;
};

/** The data of an answer; throws where it is refused. */
export async function answerOf(client: TestClient, name: string, given: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await client.call(name, given);
  if (isError || !structuredContent) throw new Error(`${name} ${JSON.stringify(given)}: ${content[0]?.text}`);
  const answer: Record<string, unknown> & { readonly said: string } = {
    ...structuredContent,
    said: content[0]?.text ?? "",
  };
  return answer;
}

const Row = z.object({ id: z.string(), text: z.string(), project: z.string().optional() });
const Told = z.object({
  memories: z.array(Row).optional(),
  sources: z.array(Row).optional(),
  project: z.string().nullable(),
  project_source: z.string(),
  notes: z.array(z.string()),
  said: z.string(),
});

/** The tools that look at memories, and what each is asked. */
export const LOOKS = {
  search: (query: string) => ({ query, top_k: 20, min_score: 0, budget_tokens: 4_000 }),
  recall: (query: string) => ({ query, top_k: 20, min_score: 0, budget_tokens: 8_000 }),
  list: () => ({ limit: 50, budget_tokens: 8_000 }),
} as const;
export const LOOKERS = ["search", "recall", "list"] as const;

/** What a tool that looks at memories tells, with the rows that it shows. */
export async function lookedAt(
  client: TestClient,
  tool: (typeof LOOKERS)[number],
  query: string,
  given: Record<string, unknown> = {},
) {
  const { memories, sources, ...told } = Told.parse(await answerOf(client, tool, { ...LOOKS[tool](query), ...given }));
  return { ...told, rows: memories ?? sources ?? [] };
}

/** The words among `all` that the rows of an answer hold, sorted. */
export const wordsIn = (rows: readonly { text: string }[], all: readonly string[]): string[] =>
  all.filter((word) => rows.some(({ text }) => text.includes(word))).sort();
