import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { idsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

/** An author for each test, at home in a fleet of the same name, with five memories of narwhals. */
let author = "";
let ids: readonly string[] = [];
beforeEach(async () => {
  author = `agent-${crypto.randomUUID()}`;
  const items = Array.from({ length: 5 }, () => ({ content: aStatement("narwhals") }));
  const { results } = await api.bulk(items, { agent_id: author, fleet_id: author });
  ids = results.map(({ id }) => id ?? "");
  await app.settle();
});
const counts = async (): Promise<number[]> => {
  await app.settle();
  return Promise.all(ids.map(async (id) => (await api.get(id)).recall_count));
};

describe("a search by an agent", () => {
  test("counts once on each row returned and on no other, and says so", async () => {
    const asked = { caller_agent_id: "zoe", fleet_ids: [author], filter_agent_id: author, top_k: 2 };
    const reply = await api.search("narwhals", asked);
    expect(reply.recall_tracked).toBe(true);
    for (const item of reply.items) expect(item).toMatchObject({ recall_count: 0, last_recalled_at: null });
    const returned = idsOf(reply);
    expect(await counts()).toEqual(ids.map((id) => (returned.includes(id) ? 1 : 0)));
    const { last_recalled_at, created_at } = await api.get(returned[0] ?? "");
    expect((last_recalled_at ?? "") >= created_at).toBe(true);
  });

  test("may be known by its author's filter alone", async () => {
    expect((await api.search("narwhals", { filter_agent_id: author, top_k: 20 })).recall_tracked).toBe(true);
    expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  });
});

test.each([
  ["by nobody", {}],
  ["with a diagnostic", { caller_agent_id: "zoe", diagnostic: true }],
  ["that finds nothing", { caller_agent_id: "zoe", filter_agent_id: "nobody" }],
])("a search %s does not count", async (_, fields) => {
  const reply = await api.search("narwhals", { top_k: 20, ...fields });
  expect(reply.recall_tracked).toBe(false);
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

test("being recalled often changes neither order nor scores", async () => {
  // Asked by nobody, so that what is compared does not count itself.
  const ranking = async () =>
    (await api.search("narwhals", { fleet_ids: [author] })).items.map(({ id, score }) => [id, score]);
  const before = await ranking();
  const last = String(before.at(-1)?.[0]);
  const { content } = await api.get(last);
  for (let i = 0; i < 25; i++)
    await api.search(content, { caller_agent_id: author, filter_agent_id: author, top_k: 1 });
  expect(await counts()).toEqual(ids.map((id) => (id === last ? 25 : 0)));
  expect(await ranking()).toEqual(before);
});
