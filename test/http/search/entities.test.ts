import { describe, expect, test } from "bun:test";
import { contentsOf } from "../../support/api/memories.ts";
import { entitiesApp } from "../../support/entities-app.ts";

const app = entitiesApp();

const enter = (canonical_name: string, fields: object = {}) =>
  app.entities.upsert({ entity_type: "project", canonical_name, ...fields });
const linkTo = (...ids: string[]) => ids.map((entity_id) => ({ entity_id, role: "topic" }));
/** Rows that nothing but their links tells apart. */
const write = (what: string, ...ids: string[]) =>
  app.memories.write({ content: `The ${what} was approved by everyone.`, entity_links: linkTo(...ids) });

test("a memory that names what the query names stands above one that does not, whatever the name it is asked by", async () => {
  const falcon = await enter("Falcon", { aliases: ["Peregrine"] });
  await write("first plan");
  await write("second plan", falcon.id);
  await write("third plan");
  for (const query of ["Was the plan of Falcon approved?", "was the plan of peregrine approved"]) {
    const { items } = await app.memories.search(query, { top_k: 3 });
    expect(items[0]?.content).toContain("second");
    expect(items[0]?.score_parts?.entity_boost).toBeGreaterThan(0);
    expect(items[1]?.score_parts?.entity_boost).toBe(0);
  }
});

test("a name is told from what stands around it where no spaces do", async () => {
  const tanaka = await enter("田中太郎", { entity_type: "person" });
  await write("first plan");
  await write("second plan", tanaka.id);
  const { items } = await app.memories.search("来週の田中太郎の予定は？", { top_k: 2 });
  expect(items[0]?.content).toContain("second");
  expect(items[0]?.score_parts?.entity_boost).toBeGreaterThan(0);
});

test("one that names two of them stands above those that name one", async () => {
  const [falcon, condor] = [await enter("Falcon"), await enter("Condor")];
  await write("first plan", falcon.id);
  await write("second plan", falcon.id, condor.id);
  await write("third plan", condor.id);
  const { items } = await app.memories.search("Was the plan of Falcon and Condor approved?", { top_k: 3 });
  expect(items[0]?.content).toContain("second");
  const [both = 0, one = 0, other = 0] = items.map(({ score_parts }) => score_parts?.entity_boost);
  expect(both).toBeGreaterThan(one);
  expect(both).toBeGreaterThan(other);
});

test("one that names something related stands between those that name it and those that do not", async () => {
  const [falcon, engine] = [await enter("Falcon"), await enter("Merlin")];
  await app.entities.relate({ from_entity_id: falcon.id, relation_type: "uses", to_entity_id: engine.id });
  await write("first plan");
  await write("second plan", engine.id);
  await write("third plan", falcon.id);
  const reply = await app.memories.search("Was the plan of Falcon approved?", { top_k: 3 });
  expect(contentsOf(reply).map((content) => content.split(" ")[1])).toEqual(["third", "second", "first"]);
  const [named = 0, related = 0, neither = 0] = reply.items.map(({ score_parts }) => score_parts?.entity_boost);
  expect(named).toBeGreaterThan(related);
  expect(related).toBeGreaterThan(neither);
  expect(neither).toBe(0);
});

describe("the diagnostic", () => {
  test("counts the entities that a query names", async () => {
    await enter("Falcon");
    await enter("Golden Gate Park", { aliases: ["GGP"] });
    await write("first plan");
    const matches = async (query: string) =>
      (await app.memories.search(query, { diagnostic: true })).diagnostic?.entity_matches;
    expect(await matches("What is planned?")).toBe(0);
    expect(await matches("What is planned for falcon in the golden gate park?")).toBe(2);
    expect(await matches("What is planned for the GGP?")).toBe(1);
    expect(await matches("Is the park golden, or the gate?")).toBe(0);
  });

  test("says that a query which names too many names none", async () => {
    const names = Array.from({ length: 21 }, (_, i) => `Bird${String.fromCharCode(97 + i)}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await enter(name)).id);
    await write("first plan", ...ids.slice(0, 5));
    const ask = async (count: number) => {
      const reply = await app.memories.search(`The plan of ${names.slice(0, count).join(", ")}`, { diagnostic: true });
      return { boost: reply.items[0]?.score_parts?.entity_boost, ...reply.diagnostic };
    };
    expect(await ask(20)).toMatchObject({ entity_matches: 20, entity_match_declined: false });
    expect((await ask(20)).boost).toBeGreaterThan(0);
    expect(await ask(21)).toMatchObject({ entity_matches: 21, entity_match_declined: true, boost: 0 });
  });
});

test("neither greetings nor speakers make a memory one about whom they name", async () => {
  await app.memories.bulk([
    { content: "Ingrid: Hello Melanie! Tell me, how was your week?" },
    { content: "Melanie: Hey Ingrid! It was busy, thanks for asking." },
    { content: "Ingrid: My week was fine, I met Melanie's brother Jonas." },
  ]);
  await app.app.settle();
  const { items } = await app.memories.search("the brother of Melanie", { top_k: 3 });
  expect(items[0]?.content).toContain("Jonas");
  expect(await app.entities.counts()).toEqual({ Ingrid: 2, Melanie: 2, Jonas: 1 });
});
