// An agent's loop around its memory, with nothing but fetch: look up what is known, act, save what was learned, correct what changed.
// Usage: CAIRN_URL=http://127.0.0.1:8000 node agent.mjs
const base = `${process.env.CAIRN_URL ?? "http://127.0.0.1:8000"}/api/v1`;
const key = process.env.CAIRN_KEY;

/** Calls Cairn; throws what it says when it refuses. */
async function cairn(method, path, body) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(key ? { "x-api-key": key } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(`${reply.error.code}: ${reply.error.message}`);
  return reply;
}

/** What is known of a question, as lines for a prompt. */
async function recall(query) {
  const { items } = await cairn("POST", "/search", { query, top_k: 3, view: "compact" });
  return items;
}

/** Saves one statement; what says the same already is no error. */
async function remember(content) {
  try {
    return (await cairn("POST", "/memories", { content, agent_id: "release-agent" })).id;
  } catch (error) {
    if (String(error).includes("DUPLICATE_MEMORY")) return null;
    throw error;
  }
}

// Where a real agent would call its model and its tools. This one reads the day out of what it knows.
const act = (known) => /Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?/.exec(known[0]?.content ?? "")?.[0] ?? null;

// First session: nothing is known, somebody tells.
const question = "On which day do we release?";
console.log(`known: ${act(await recall(question)) ?? "nothing"}`);
const told = await remember("We release every Tuesday after the standup.");
console.log(`saved: ${told}`);

// Second session: it is known.
console.log(`known: ${act(await recall(question))}`);

// It changed: one call writes what holds now, and keeps the old statement as history.
const corrected = await cairn("POST", `/memories/${told}/correct`, {
  content: "We release every Thursday after the standup.",
});
console.log(`corrected: ${corrected.id}`);

// Third session.
console.log(`known: ${act(await recall(question))}`);
