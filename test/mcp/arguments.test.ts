import { afterAll, describe, expect, test } from "bun:test";
import { ALL_TOOLS } from "../../src/mcp/tools/all.ts";
import { openApp } from "../support/in-process.ts";
import { CLIENTS, modernClient, savedBy } from "./clients.ts";
import { legacyCalls } from "./legacy-client.ts";

const { app } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());

type Given = Record<string, unknown>;
const client = await modernClient(mcp, { "x-cairn-project": "alpha" });
const answered = async (name: string, given: Given) => {
  const { isError, content, structuredContent } = await client.call(name, given);
  expect([name, given, isError ?? false, content[0]?.text]).toEqual([name, given, false, expect.any(String)]);
  return structuredContent ?? {};
};
const refusal = async (name: string, given: Given): Promise<string> => {
  const { isError, content } = await client.call(name, given);
  expect([name, given, isError]).toEqual([name, given, true]);
  return JSON.parse(content[0]?.text ?? "").error.message;
};
const statement = () => `The ferry of pier ${crypto.randomUUID()} leaves at noon.`;

describe("arguments given as text", () => {
  test("are taken for the list, number, truth or object that they say", async () => {
    const saved = await answered("remember", { content: statement(), tags: '["ferry", "pier"]' });
    const id = savedBy(saved)[0]?.id;
    const { memories } = await answered("get", { ids: JSON.stringify([id]) });
    expect(memories).toMatchObject([{ id, metadata: { tags: ["ferry", "pier"] } }]);
    expect((await answered("remember", { notes: JSON.stringify([statement(), statement()]) })).saved).toHaveLength(2);
    expect((await answered("search", { query: "ferry", top_k: "2", min_score: "0" })).memories).toHaveLength(2);
    expect((await answered("list", { limit: " 1 " })).memories).toHaveLength(1);
    for (const undo of ["false", "True"])
      expect(await answered("forget", { ids: [id], undo })).toMatchObject({ done: [id] });
    const plan = { collection: "plans", doc_id: "ferry" };
    await answered("documents", { op: "write", ...plan, data: '{"summary": "Ferries.", "berths": 3}' });
    const found = await answered("documents", { op: "query", collection: "plans", where: '{"berths": 3}' });
    expect(found.result).toMatchObject([{ data: { berths: 3 } }]);
  });

  test("that a text is asked for stay as they are", async () => {
    const content = '["This whole list is what the statement says."]';
    const id = savedBy(await answered("remember", { content }))[0]?.id;
    expect((await answered("get", { ids: [id] })).memories).toMatchObject([{ content }]);
  });

  test.each([
    ["search", { query: "x", top_k: "five" }, 'top_k is a number, such as 5, which "five" is not.'],
    ["search", { query: "x", top_k: "[5]" }, 'top_k is a number, such as 5, which "[5]" is not.'],
    ["search", { query: 5 }, "query is a text, which 5 is not."],
    ["remember", { content: statement(), tags: "a, b" }, 'tags is a list, such as ["a", "b"], which "a, b" is not.'],
    ["get", { ids: "x".repeat(99) }, `ids is a list, such as ["a", "b"], which "${"x".repeat(59)}... is not.`],
    ["forget", { ids: [], undo: "yes" }, /undo is true or false, which "yes" is not\.$/],
    [
      "documents",
      { op: "write", collection: "c", doc_id: "d", data: "{a: 1}" },
      'data is an object, such as {"name": "value"}, which "{a: 1}" is not.',
    ],
  ])("of %s %p are refused with the right form", async (name, given, said) => {
    expect(await refusal(name, given)).toEqual(said instanceof RegExp ? expect.stringMatching(said) : said);
  });
});

test.each([
  ["remember", { text: "The ferry leaves at noon." }, "remember has no argument 'text': did you mean 'content'?"],
  ["search", { text: "ferry" }, "search has no argument 'text': did you mean 'query'?"],
  [
    "correct",
    { id: crypto.randomUUID(), content: "The ferry leaves at one.", kind: "wrong" },
    "correct has no argument 'kind': did you mean 'because'?",
  ],
])("%s %p is told the argument that is meant, and none that it gave", async (name, given, said) => {
  expect(await refusal(name, given)).toContain(said);
});

describe.each(CLIENTS)("over %p", (connect) => {
  test("how many are wanted is known by both names", async () => {
    const other = await connect(mcp, { "x-cairn-project": "alpha" });
    await other.call("remember", { notes: [statement(), statement(), statement()] });
    for (const [name, given] of [
      ["search", { query: "ferry", min_score: 0 }],
      ["list", {}],
    ] as const)
      for (const counted of ["limit", "top_k"]) {
        const { structuredContent } = await other.call(name, { ...given, [counted]: 2 });
        expect([name, counted, structuredContent?.memories]).toEqual([
          name,
          counted,
          [expect.anything(), expect.anything()],
        ]);
      }
    const both = await other.call("search", { query: "ferry", limit: 1, top_k: 2 });
    expect(JSON.parse(both.content[0]?.text ?? "").error.message).toBe("search has no argument 'limit'.");
    await other.close();
  });
});

test("older tools take their arguments the same way", async () => {
  const older = legacyCalls(client);
  for (const given of [
    { top_k: "1" },
    { limit: 1 },
    { limit: "1", top_k: null },
    { top_k: 1, fleet_ids: '["alpha"]' },
  ]) {
    const answer = await older.ask("recall", { query: "ferry", ...given });
    expect([given, answer.results, answer.warning]).toEqual([given, [expect.anything()], undefined]);
  }
  expect((await older.refused("list", { limit: "many" })).message).toBe(
    'limit is a number, such as 5, which "many" is not.',
  );
});

test("every error ends in one full stop, or asks", async () => {
  const id = crypto.randomUUID();
  const skill = { op: "write", collection: "skills", doc_id: "x", data: {} };
  const wrong: [string, Given][] = [
    ["search", { qery: "x" }],
    ["search", { query: "x", as_of: "soon", project: "a\nb" }],
    ["search", { query: "x", happened_from: "2026-13-01" }],
    ["search", { query: "x", status: "activ" }],
    ["list", { cursor: "none" }],
    ["remember", { content: "short" }],
    ["remember", { content: "x".repeat(10_001), tags: "a" }],
    ["remember", { notes: ["short", "shorter"] }],
    ["correct", { id, content: "New content of what is not there." }],
    ["documents", { op: "read" }],
    ["documents", skill],
    ["documents", { ...skill, collection: "_own" }],
    ["keystones", { op: "set", doc_id: "No Name!", title: "A", content: "Never." }],
    ["audit", { id: "x" }],
    ["caura_list", { limit: "many" }],
    ["caura_manage", { op: "reed", memory_id: "x" }],
    ["caura_write", { content: "short" }],
    ...ALL_TOOLS.map(({ name }): [string, Given] => [name, { nothing_known: true, agent_id: "" }]),
  ];
  for (const [name, given] of wrong) {
    const message = await refusal(name, given);
    expect([name, given, message]).toEqual([name, given, expect.stringMatching(/[^.?!\s][.?]$/)]);
    expect([name, message]).toEqual([name, expect.not.stringMatching(/\.\.|[?]\.|\.;/)]);
  }
});
