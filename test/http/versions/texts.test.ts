import { afterAll, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { KeptTexts } from "../../../src/core/schema/keeping/kept-text.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
await ensureRecurring(app.services);
await settle();
afterAll(() => app.stop());
const api = memoriesApi(client);
const at = (id: string, of = "") => `${MEMORIES}/${id}${of}`;
const query = { tenant_id: TENANT };
const edit = (id: string, body: object, as: object = {}) =>
  client.ok(Memory, "PATCH", at(id), { query: { ...query, ...as }, body });
const textsOf = async (id: string, as: object = {}) =>
  (await client.ok(KeptTexts, "GET", at(id, "/texts"), { query: { ...query, ...as } })).items;
const saidBefore = async (id: string, as: object = {}) => (await textsOf(id, as)).map(({ content }) => content);
const bringBack = (id: string, text_id: string, headers?: Record<string, string>) =>
  client.call("POST", at(id, `/texts/${text_id}/restore`), { query, headers });
/** What an edit of it leaves is looked for in the data itself, whoever may see it. */
const stored = async (id: string) =>
  (
    await app.services.storage.keptTexts.of(
      { tenant_id: TENANT, id },
      { tenant_id: TENANT, agent_id: null, home: null, fleets: "all" },
    )
  ).length;

test("what an edit replaces is kept, the newest first, with who replaced it", async () => {
  const first = await api.write({ content: "The regatta starts at the pier.", agent_id: "ada" });
  await edit(first.id, { content: "The regatta starts at the lighthouse." }, { agent_id: "bo" });
  await edit(first.id, { content: "The regatta starts at the bridge." });
  await edit(first.id, { weight: 0.9 });
  expect(await textsOf(first.id)).toEqual([
    expect.objectContaining({ content: "The regatta starts at the lighthouse.", replaced_by: null }),
    expect.objectContaining({ content: "The regatta starts at the pier.", title: null }),
  ]);
});

test("one call brings a text back, with the title that somebody gave it, and keeps what was said in between", async () => {
  const { id } = await api.write({ content: "The winch holds two tons." });
  await edit(id, { title: "Winch" });
  const mine = await api.get(id);
  await edit(id, { content: "The winch holds three tons.", title: "Crane" });
  const [before] = await textsOf(id);
  expect(before).toMatchObject({ content: "The winch holds two tons.", title: "Winch" });
  expect((await bringBack(id, before?.id ?? "", { "if-match": `"${mine.version}"` })).status).toBe(412);
  const { status, headers, body } = await bringBack(id, before?.id ?? "");
  expect(status).toBe(200);
  expect(Memory.parse(body)).toMatchObject({ content: "The winch holds two tons.", title: "Winch" });
  expect(headers.get("etag")).toBe(`"${Memory.parse(body).version}"`);
  expect(await textsOf(id)).toMatchObject([
    { content: "The winch holds three tons.", title: "Crane" },
    { title: "Winch" },
  ]);
  await settle();
  expect((await api.search("How much does the winch hold?")).items[0]?.content).toBe("The winch holds two tons.");
});

test("a title that somebody gave is kept though the text stays; one that was inferred is not", async () => {
  const { id } = await api.write({ content: "The sail is patched twice, at the leech and at the foot." });
  await edit(id, { title: "Sail" });
  expect(await textsOf(id)).toEqual([]);
  await edit(id, { title: "Old sail" });
  expect(await textsOf(id)).toMatchObject([{ title: "Sail" }]);
});

test("of many edits the last ones are kept", async () => {
  const { id } = await api.write({ content: "Tide number 0 is high." });
  for (let i = 1; i <= 25; i++) await edit(id, { content: `Tide number ${i} is high.` });
  const said = await saidBefore(id);
  expect(said).toHaveLength(20);
  expect([said[0], said.at(-1)]).toEqual(["Tide number 24 is high.", "Tide number 5 is high."]);
});

test("a text is shown to who sees the memory, and saw it when it was its text", async () => {
  const { id } = await api.write({
    content: "Ada's pin is one two three.",
    agent_id: "ada",
    visibility: "scope_agent",
  });
  await edit(id, { content: "Ada has a pin." }, { agent_id: "ada" });
  expect(refusalOf(await client.refused("GET", at(id, "/texts"), { query: { ...query, agent_id: "bo" } }))).toEqual([
    404,
    "NOT_FOUND",
  ]);
  await edit(id, { visibility: "scope_org" }, { agent_id: "ada" });
  expect(await saidBefore(id, { agent_id: "bo" })).toEqual([]);
  expect(await saidBefore(id, { agent_id: "ada" })).toEqual(["Ada's pin is one two three."]);
  const [secret] = await textsOf(id, { agent_id: "ada" });
  expect((await bringBack(id, secret?.id ?? "")).status).toBe(404);
});

test("a text of another memory, or none, is not brought back", async () => {
  const [one, other] = [
    await api.write({ content: "Locker one is locked." }),
    await api.write({ content: "Locker two is open." }),
  ];
  await edit(one.id, { content: "Locker one is open." });
  const [text] = await textsOf(one.id);
  expect((await bringBack(other.id, text?.id ?? "")).status).toBe(404);
  expect((await bringBack(one.id, crypto.randomUUID())).status).toBe(404);
  expect((await bringBack(one.id, "first")).status).toBe(422);
});

test("texts go with the erasure of their memory, and stay with a deletion that is taken back", async () => {
  const { id } = await api.write({ content: "The pilot boards at dawn." });
  await edit(id, { content: "The pilot boards at noon." });
  await api.remove(id);
  expect((await client.call("GET", at(id, "/texts"), { query })).status).toBe(404);
  await client.call("POST", at(id, "/restore"), { query });
  expect(await saidBefore(id)).toEqual(["The pilot boards at dawn."]);
  await api.remove(id, { erase: true });
  expect(await stored(id)).toBe(0);
});

test("texts are gone once the grace of deleted memories is over", async () => {
  const { id } = await api.write({ content: "The crew sleeps aboard." });
  await edit(id, { content: "The crew sleeps ashore." });
  clock.advance(29 * DAY_MS);
  await settle();
  expect(await stored(id)).toBe(1);
  clock.advance(2 * DAY_MS);
  await settle();
  expect(await stored(id)).toBe(0);
  expect((await api.get(id)).content).toBe("The crew sleeps ashore.");
});

test("who forgets a text forgets what memories said before, too", async () => {
  const { id } = await api.write({ content: "The skipper is called Wilhelmina." });
  await edit(id, { content: "The skipper has a long name." });
  const forget = (next: string | undefined) =>
    client.call("POST", "/api/v1/admin/forget", { body: { tenant_id: TENANT, match: "Wilhelmina", next } });
  for (let next: unknown; next !== null; ) {
    const { status, body } = await forget(typeof next === "string" ? next : undefined);
    expect(status).toBe(200);
    next = Object(body).next ?? null;
  }
  expect(await stored(id)).toBe(0);
  expect((await api.get(id)).content).toBe("The skipper has a long name.");
});
