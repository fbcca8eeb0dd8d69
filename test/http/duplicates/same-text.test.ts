import { afterAll, expect, test } from "bun:test";
import { contentsOf, idsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

const content = "The staging cluster is drained on Thursdays.";
const query = "when is the staging cluster drained?";

test("texts that are equal are shown once, the newest, and the others are named in the diagnostic", async () => {
  const older = [await api.write({ content, agent_id: "ada" }), await api.write({ content, agent_id: "bob" })];
  const newest = await api.write({ content, agent_id: "cleo" });
  const other = await api.write({ content: "The staging cluster has four nodes.", agent_id: "ada" });

  const { items, diagnostic } = await api.search(query, { diagnostic: true });
  expect(idsOf({ items }).sort()).toEqual([newest.id, other.id].sort());
  const left = (diagnostic?.all_candidates ?? []).filter(({ excluded }) => excluded === "same_text");
  expect(left.map(({ id, same_text_as }) => [id, same_text_as]).sort()).toEqual(
    older.map(({ id }) => [id, newest.id]).sort(),
  );
  expect((await api.recall(query)).memories.map(({ content }) => content)).toEqual(contentsOf({ items }));
});

test("what a reader may not see stands in for nothing", async () => {
  const secret = "The vault opens at seven on Mondays.";
  const shared = await api.write({ content: secret, agent_id: "ada" });
  const hidden = await api.write({ content: secret, agent_id: "bob", visibility: "scope_agent" });
  const found = async (caller_agent_id: string) => {
    const { items } = await api.search("when does the vault open?", { caller_agent_id });
    return items.filter(({ content }) => content === secret).map(({ id }) => id);
  };
  expect(await found("ada")).toEqual([shared.id]);
  expect(await found("bob")).toEqual([hidden.id]);
});

test("those left out make room for the next", async () => {
  const texts = [1, 2, 3].map((nth) => `Kestrel number ${nth} nests above the mill.`);
  for (const agent_id of ["ada", "bob", "cleo"]) for (const text of texts) await api.write({ content: text, agent_id });
  const { items } = await api.search("where does the kestrel nest?", { top_k: 3 });
  expect(contentsOf({ items }).sort()).toEqual(texts);
});
