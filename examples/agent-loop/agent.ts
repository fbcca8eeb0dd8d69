// An agent's loop around its memory, with nothing but fetch: look up what is known, act, save what was learned, correct what changed.
// Usage: CAIRN_URL=http://127.0.0.1:8000 npx bun agent.ts
const base = `${process.env.CAIRN_URL ?? "http://127.0.0.1:8000"}/api/v1`;
const key = process.env.CAIRN_KEY;

interface Saved {
  readonly id: string;
}
interface Found {
  readonly items: readonly { readonly content: string }[];
}
interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}

/** What Cairn says when it refuses; `code` is for programs, the message for people. */
class Refused extends Error {
  readonly code: string;
  constructor({ error: { code, message } }: Refusal) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Posts to Cairn; throws Refused when it answers with an error. */
async function post<Reply>(path: string, body: object): Promise<Reply> {
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    redirect: "error",
    headers: { "content-type": "application/json", ...(key ? { "x-api-key": key } : {}) },
    body: JSON.stringify(body),
  });
  // Both shapes are those that /api/docs gives.
  if (!response.ok) throw new Refused((await response.json()) as Refusal);
  return (await response.json()) as Reply;
}

/** What is known of a question, best first, as lines for a prompt. */
async function lookUp(query: string): Promise<string[]> {
  const { items } = await post<Found>("/search", { query, top_k: 3, view: "compact" });
  return items.map(({ content }) => content);
}

/** Saves one statement; null when it is known already, which is no failure. */
async function save(content: string): Promise<string | null> {
  try {
    return (await post<Saved>("/memories", { content, agent_id: "release-agent" })).id;
  } catch (error) {
    if (error instanceof Refused && error.code === "DUPLICATE_MEMORY") return null;
    throw error;
  }
}

/** Where an agent would call its model and its tools. This one reads the day out of what it knows. */
const act = ([best = ""]: readonly string[]): string => /(?:Mon|Tues|Wednes|Thurs|Fri)day/.exec(best)?.[0] ?? "nothing";

// First session: nothing is known, somebody tells. Saying the same again adds nothing.
const question = "On which day do we release?";
const statement = "We release every Tuesday after the standup.";
console.log(`known: ${act(await lookUp(question))}`);
const told = await save(statement);
if (told === null) throw new Error("This Cairn knows the statement already: start a fresh one with --ephemeral.");
console.log(`saved: ${told}`);
console.log(`again: ${(await save(statement)) ?? "known already"}`);

// Second session: it is known.
console.log(`known: ${act(await lookUp(question))}`);

// It changed: one call writes what holds now, and keeps the old statement as history.
const { id } = await post<Saved>(`/memories/${told}/correct`, {
  content: "We release every Thursday after the standup.",
});
console.log(`corrected: ${id}`);

// Third session.
console.log(`known: ${act(await lookUp(question))}`);

export {};
