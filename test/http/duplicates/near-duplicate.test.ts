import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";

// The real model: whether two sentences are near in meaning is its answer.
const app = await startApp({ embedder: "onnx", flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;

let tenants = 0;
/** An empty tenant with one memory in it. */
async function stored(content: string, fields: Readonly<Record<string, unknown>> = {}) {
  const tenant_id = `near-${++tenants}`;
  const as = client.as(viaGateway(tenant_id));
  const { id } = await memoriesApi(as, tenant_id).write({ content, agent_id: "ada", ...fields });
  const write = (again: string, more: Readonly<Record<string, unknown>> = {}) =>
    as.call("POST", MEMORIES, {
      body: aMemory({ tenant_id, content: again, agent_id: "ada", write_mode: "strong", ...fields, ...more }),
    });
  return { id, write, as, tenant_id };
}

const FIRST = "The ferry to Oslo leaves at 18:30 every Friday.";

describe("in strong mode, what only rewords nothing is refused:", () => {
  test.each([
    ["another article", "A ferry to Oslo leaves at 18:30 every Friday."],
    ["other case and punctuation", "the ferry to oslo leaves at 18:30 every friday!"],
    ["other spaces", "The  ferry to Oslo\nleaves at 18:30  every Friday."],
    ["a small word more", "The ferry to Oslo leaves at 18:30 every Friday also."],
  ])("%s", async (_, content) => {
    const { id, write, as, tenant_id } = await stored(FIRST);
    const { status, body } = await write(content);
    expect([status, body]).toMatchObject([
      409,
      { error: { code: "DUPLICATE_MEMORY", details: { existing_id: id, reason: "semantic_similarity" } } },
    ]);
    expect(await memoriesApi(as, tenant_id).count()).toBe(1);
  });
});

/** Two statements that are near in meaning to the model, and yet two. */
const DIFFERENT: readonly (readonly [what: string, first: string, second: string])[] = [
  ["another number", FIRST, "The ferry to Oslo leaves at 18:45 every Friday."],
  ["another name", FIRST, "The ferry to Bergen leaves at 18:30 every Friday."],
  ["another day", FIRST, "The ferry to Oslo leaves at 18:30 every Sunday."],
  ["not", "The release is signed by the build server.", "The release is not signed by the build server."],
  ["n't", "The release is signed by the build server.", "The release isn't signed by the build server."],
  ["don't, with a typographic apostrophe", "We do deploy on Fridays.", "We don’t deploy on Fridays."],
  ["never", "The cache is flushed at night.", "The cache is never flushed at night."],
  ["the other way", "The price of copper went up in March.", "The price of copper went down in March."],
  ["must and may", "Guests must leave before ten.", "Guests may leave before ten."],
  ["before and after", "Rotate the keys before the release.", "Rotate the keys after the release."],
  ["who did it to whom", "Alice reports to Bob since spring.", "Bob reports to Alice since spring."],
  ["from and to", "The pipe runs from Ghent to Bruges.", "The pipe runs from Bruges to Ghent."],
  ["another version", "The gateway runs on version 1.1 now.", "The gateway runs on version 1.1.1 now."],
  ["another decimal", "The threshold of the alarm is 2.2 bar.", "The threshold of the alarm is 2 bar."],
  ["another sign", "The freezer is kept at -5 degrees.", "The freezer is kept at 5 degrees."],
  ["another person", "He likes tea in the morning.", "She likes tea in the morning."],
  ["then and now", "The office was in Ghent.", "The office is in Ghent."],
  ["a question", "The backup is complete.", "The backup is complete?"],
];

describe("in strong mode, what says something else is stored:", () => {
  test.each(DIFFERENT)("%s", async (_, first, second) => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ]) {
      const { write } = await stored(one ?? "");
      expect((await write(other ?? "")).status).toBe(201);
    }
  });
});

describe("a near-duplicate is stored", () => {
  const AGAIN = "A ferry to Oslo leaves at 18:30 every Friday!";

  test.each(["fast", "auto", null, undefined])("in the mode %p, for a plain fact", async (write_mode) => {
    const { write } = await stored(FIRST);
    expect((await write(AGAIN, { write_mode })).status).toBe(201);
  });

  test("where the first is for other readers: another fleet, visibility or agent's own", async () => {
    const { write } = await stored(FIRST);
    expect((await write(AGAIN, { fleet_id: "red" })).status).toBe(201);
    expect((await write(AGAIN, { visibility: "scope_org" })).status).toBe(201);
    expect((await write(AGAIN, { visibility: "scope_agent" })).status).toBe(201);
    expect((await write(`${AGAIN}!`, { visibility: "scope_agent", agent_id: "bob" })).status).toBe(201);
    const other = await stored("Something else is written in this tenant.");
    expect((await other.write(AGAIN)).status).toBe(201);
  });

  test("where the first is deleted or no longer live", async () => {
    const [gone, outdated] = [await stored(FIRST), await stored(FIRST, { status: "outdated" })];
    await memoriesApi(gone.as, gone.tenant_id).remove(gone.id);
    expect((await gone.write(AGAIN)).status).toBe(201);
    expect((await outdated.write(AGAIN, { status: "active" })).status).toBe(201);
  });
});

test.each(["decision", "commitment", "cancellation"])("mode auto is strong for a %s", async (memory_type) => {
  const { write, id } = await stored("We decided to take the ferry to Oslo.", { memory_type });
  const reply = await write("We decided to take a ferry to Oslo!", { write_mode: "auto" });
  expect([reply.status, reply.body]).toMatchObject([409, { error: { details: { existing_id: id } } }]);
});

test("a dry run is refused as the write would be", async () => {
  const { write } = await stored(FIRST);
  expect((await write("A ferry to Oslo leaves at 18:30 every Friday.", { persist: false })).status).toBe(409);
});

test("an unknown mode is 422; another author's near-duplicate is told apart by readers alone", async () => {
  const refused = await client.refused("POST", MEMORIES, { body: aMemory({ write_mode: "stm" }) });
  expect(refusalOf(refused)).toEqual([422, "INVALID_ARGUMENTS"]);
  const { write } = await stored(FIRST);
  expect((await write(FIRST, { agent_id: "bob" })).status).toBe(409);
  const { body } = await client.call("POST", MEMORIES, { body: aMemory({ tenant_id: TENANT, write_mode: "strong" }) });
  expect(Memory.parse(body).status).toBe("active");
});
