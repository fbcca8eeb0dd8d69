import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { aMemory } from "../../support/builders.ts";

// One caller asks for more than is done at once; another one has a single question.

setDefaultTimeout(120_000);

const CROWD = 150;
const ROWS = 100;
const QUERY = `${MEMORIES}?limit=${ROWS}`;
const Key = z.object({ raw_key: z.string() });

let url = "";
let keys: { readonly crowd: string; readonly other: string };
beforeAll(async () => {
  const { client, port } = await spawnServer({ folder: aFolder() });
  url = `http://127.0.0.1:${port}`;
  const keyOf = async (label: string) =>
    (await client.ok(Key, "POST", "/api/v1/keys", { body: { label, agent_id: label, trust: 0 } })).raw_key;
  const content = (i: number) => `The ferry ${i} leaves from pier ${i}. ${"It sails in fog, too. ".repeat(60)}`;
  for (let i = 0; i < ROWS; i++) await client.call("POST", MEMORIES, { body: aMemory({ content: content(i) }) });
  keys = { crowd: await keyOf("crowd"), other: await keyOf("other") };
});
afterAll(cleanUp);

const list = (key: string) => fetch(`${url}${QUERY}`, { headers: { "X-API-Key": key } });
const find = (key: string) =>
  fetch(`${url}/api/v1/search`, {
    method: "POST",
    body: JSON.stringify({ query: "When does the ferry leave from the pier?", top_k: 20, min_score: 0 }),
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
  });

test.each([
  ["lists", list],
  ["searches", find],
])("who asks once waits for a few %s of a caller that asks for many, not for all", async (_what, ask) => {
  const order: string[] = [];
  const noted = async (name: string, key: string) => {
    const answer = await ask(key);
    order.push(name);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  };
  // A few to warm up.
  await Promise.all([noted("warm", keys.crowd), noted("warm", keys.other)]);
  order.length = 0;
  const crowd = Array.from({ length: CROWD }, () => noted("crowd", keys.crowd));
  await Promise.race(crowd);
  await noted("other", keys.other);
  await Promise.all(crowd);
  expect(order.length).toBe(CROWD + 1);
  expect(order.indexOf("other")).toBeLessThan(CROWD / 2);
});

test("many requests of one caller are all answered", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => list(keys.crowd).then(({ status }) => status)));
  expect(answers).toEqual(Array(40).fill(200));
});
