import { afterAll, expect, test } from "bun:test";
import { Corrected } from "../../../src/core/schema/memory-change.ts";
import { contradictionsApi } from "../../support/api/contradictions.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client, settle } = await openApp();
afterAll(() => app.stop());
const api = { ...memoriesApi(client), contradictions: contradictionsApi(client).contradictions };
const at = (id: string) => `${MEMORIES}/${id}/correct`;
const correct = (id: string, content: string, headers?: Record<string, string>) =>
  client.ok(Corrected, "POST", at(id), { body: { content }, headers });

const OLD = "Kim leads the sail loft.";
const NEW = "The sail loft has been led by Robin since the harbour fest.";

test("a correction stands in the old one's place, for the same readers, and is linked to it", async () => {
  const old = await api.write({ content: OLD, fleet_id: "loft", visibility: "scope_org", tags: ["people"] });
  const corrected = await correct(old.id, NEW);
  expect(corrected).toMatchObject({ replaced: old.id, replaced_status: "outdated" });
  await settle();
  const [now, then] = [await api.get(corrected.id), await api.get(old.id)];
  expect(now).toMatchObject({ content: NEW, fleet_id: "loft", visibility: "scope_org", supersedes_id: old.id });
  expect(now.metadata).toEqual({ tags: ["people"] });
  expect(then.status).toBe("outdated");
  const { contradictions, checked_at } = await api.contradictions(corrected.id);
  expect(contradictions).toMatchObject([{ memory_id: old.id, rule: "correction", direction: "supersedes" }]);
  expect(checked_at).not.toBeNull();
  await api.remove(corrected.id);
  await settle();
  expect((await api.get(old.id)).status).toBe("active");
});

test("what nobody's fleet owns stays so, wherever the author is at home", async () => {
  const old = await api.write({ content: "Flags are washed in April." });
  await api.write({ content: "Ropes are greased in autumn, says Ola.", agent_id: "ola", fleet_id: "ropes" });
  const { id } = await client.ok(Corrected, "POST", at(old.id), {
    query: { agent_id: "ola" },
    body: { content: "Flags are washed in May from now on." },
  });
  expect(await api.get(id)).toMatchObject({ agent_id: "ola", fleet_id: null });
});

test("the successor of a private memory is its owner's, whoever corrects it", async () => {
  const old = await api.write({
    content: "Ada keeps her spare key under the mat.",
    agent_id: "ada",
    visibility: "scope_agent",
  });
  const { id } = await correct(old.id, "Ada keeps her spare key with the neighbour.");
  expect(await api.get(id, { agent_id: "ada" })).toMatchObject({ agent_id: "ada", visibility: "scope_agent" });
});

test("a live memory that says the new text is the successor, so that a repeated correction does no harm", async () => {
  const old = await api.write({ content: "The mast is twelve metres high." });
  const first = await correct(old.id, "The mast is fourteen metres high.");
  expect(await correct(old.id, "The mast is fourteen metres high.")).toEqual(first);
  const key = { "idempotency-key": "mast-again" };
  const second = await correct(first.id, "The mast is sixteen metres high.", key);
  expect(await correct(first.id, "The mast is sixteen metres high.", key)).toEqual(second);
});

test("what is unknown, says nothing new or is no statement is refused, and changes nothing", async () => {
  const old = await api.write({ content: "The dinghy is green and white." });
  const refused = async (id: string, content: string) =>
    refusalOf(await client.refused("POST", at(id), { body: { content } }));
  expect(await refused(old.id, old.content)).toEqual([400, "BAD_REQUEST"]);
  expect(await refused(crypto.randomUUID(), NEW)).toEqual([404, "NOT_FOUND"]);
  expect((await client.call("POST", at(old.id), { body: { content: "short" } })).status).toBe(422);
  expect((await client.call("POST", at(old.id), { body: { contents: NEW } })).status).toBe(422);
  expect((await api.get(old.id)).status).toBe("active");
});
