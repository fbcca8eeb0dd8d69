import { afterAll, expect, test } from "bun:test";
import { entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const LIMIT = 100_000;
const LARGE = { text: "x".repeat(40_000) };
const SMALL = { text: "x" };

const app = await startApp({ flags: [`--reply-bytes-limit=${LIMIT}`] });
afterAll(() => app.stop());
const entities = entitiesApi(app.client);
const memories = memoriesApi(app.client);

const enter = async (canonical_name: string, attributes: object): Promise<string> =>
  (await entities.upsert({ entity_type: "project", canonical_name, attributes })).id;

/** What a memory with these links shows of each entity, in the order of the links. */
async function shownOf(ids: readonly string[]) {
  const entity_links = ids.map((entity_id, i) => ({ entity_id, role: `part ${i}` }));
  const { id } = await memories.write({ content: `The plan has ${ids.length} parts.`, entity_links });
  // What is read in the text is put beside what was given, and takes none of it away.
  await app.settle();
  const detail = await memories.get(id);
  expect(JSON.stringify(detail).length).toBeLessThan(LIMIT);
  return entity_links.map(({ role }) => detail.entity_links.find((link) => link.role === role)?.attributes);
}

test("a memory shows the attributes of what it links to while they fit into a reply, and names the rest", async () => {
  const ids = [await enter("Heron", LARGE), await enter("Stork", LARGE), await enter("Crane", LARGE)];
  const bare = await enter("Egret", {});
  expect(await shownOf([...ids, await enter("Ibis", SMALL), bare])).toEqual([LARGE, LARGE, null, SMALL, {}]);
});

test("attributes of an entity that is linked several times count as often", async () => {
  const id = await enter("Pelican", LARGE);
  expect(await shownOf([id, id])).toEqual([LARGE, LARGE]);
  expect(await shownOf([id, id, id])).toEqual([null, null, null]);
});
