// Saves two memories and asks a question of them; with a language model, the answer is a summary that cites them.
// Usage: CAIRN_URL=http://127.0.0.1:8000 node ask.mjs
const api = `${process.env.CAIRN_URL ?? "http://127.0.0.1:8000"}/api/v1`;
const post = async (path, body) => {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
};

await post("/memories", { content: "We release every Thursday after the standup." });
await post("/memories", { content: "Releases need a green pipeline and one approval." });
const { summary, warnings } = await post("/recall", { query: "When do we release, and what does it need?" });
console.log(summary);
for (const { code, message } of warnings ?? []) console.log(`${code}: ${message}`);
