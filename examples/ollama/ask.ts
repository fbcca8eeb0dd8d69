// Saves two memories and asks a question of them; with a language model, the answer is a summary that cites them.
// Usage: CAIRN_URL=http://127.0.0.1:8000 npx bun ask.ts
const api = `${process.env.CAIRN_URL ?? "http://127.0.0.1:8000"}/api/v1`;

interface Recalled {
  readonly summary: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[] | null;
}

async function post<Reply>(path: string, body: object): Promise<Reply> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${api}${path}`, {
    method: "POST",
    redirect: "error",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Reply; // The shape that /api/docs gives.
}

await post("/memories", { content: "We release every Thursday after the standup." });
await post("/memories", { content: "Releases need a green pipeline and one approval." });
const question = "When do we release, and what does it need?";
const { summary, warnings } = await post<Recalled>("/recall", { query: question });
console.log(summary);
for (const { code, message } of warnings ?? []) console.log(`${code}: ${message}`);

export {};
