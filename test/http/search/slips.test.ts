import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SLIPS } from "../../relevance/slips.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const [app, models] = await Promise.all([startApp(), startApp({ embedder: "onnx" })]);
afterAll(() => Promise.all([app.stop(), models.stop()]));
const api = memoriesApi(app.client);
const office = memoriesApi(models.client);

const HANG_GUARD_MS = 120_000;

beforeAll(async () => {
  await api.write({ agent_id: "ann", content: "The passphrase rotation happens each quarter." });
  await api.write({ agent_id: "ann", content: "The form of the budget is settled; ticket ABCDE-17 has it." });
  await api.write({ agent_id: "ann", content: "Расписание электричек висит у двери." });
  const { id } = await api.write({ agent_id: "ann", content: "The marmalade is in the pantry." });
  await api.remove(id);
}, HANG_GUARD_MS);

/** What the words of a question were read as. */
async function readAs(query: string, fields: object = {}): Promise<unknown> {
  const { diagnostic } = await api.search(query, { diagnostic: true, ...fields });
  return diagnostic?.search_params.read_as;
}

describe("a word that no row holds", () => {
  test.each([
    ["pasphrase", { pasphrase: "passphrase" }, "lacks a letter"],
    ["passsphrase", { passsphrase: "passphrase" }, "has one too many"],
    ["pasphrase rotaton", { pasphrase: "passphrase", rotaton: "rotation" }, "is one of two"],
    ["when is the passphrase rotatoin", { rotatoin: "rotation" }, "has two letters swapped"],
    ["qarter", { qarter: "quarter" }, "stands alone"],
    ["расписсание", { расписсание: "расписание" }, "is of another script"],
  ])("%p is read as %p where it %s", async (query, expected) => {
    expect(await readAs(query)).toEqual(expected);
    const { items } = await api.search(query);
    expect(items[0]?.content.toLowerCase()).toContain(Object.values(expected)[0] ?? "");
  });

  test.each([
    ["passphrase", "is held as it is written"],
    ["pssphrse", "has more than one slip"],
    ["fomr", "is too short to tell"],
    ["ABCDE-18", "is a code"],
    ["forms", "is a common word"],
    ["marmelade", "was meant for a deleted row"],
    ["toward", "is in the language"],
  ])("%p is left as it is where it %s", async (query) => {
    expect(await readAs(query)).toEqual({});
  });
});

test("a form that the word may have in another language keeps no slip from being read", async () => {
  await api.write({ agent_id: "ann", content: "Die Passphrasen liegen in dem Schrank." });
  expect(await readAs("passphrasem")).toEqual({ passphrasem: "passphrase" });
  expect(await readAs("wo sind die Passphrasem")).toEqual({});
});

test("rows that the caller does not see say nothing of what a word was meant as", async () => {
  const ask = async (agent: string) => {
    const { items, diagnostic } = await api.search("telescpoe", { caller_agent_id: agent, diagnostic: true });
    return {
      scored: items.map(({ id, score_parts }) => ({ id, words: score_parts?.fts_score })),
      read_as: diagnostic?.search_params.read_as,
    };
  };
  const before = await ask("ann");
  await api.write({ agent_id: "bob", visibility: "scope_agent", content: "Bob keeps his telescope under the bed." });
  await app.settle();
  expect((await ask("bob")).read_as).toEqual({ telescpoe: "telescope" });
  expect(before.read_as).toEqual({});
  expect(await ask("ann")).toEqual(before);
});

test(
  "questions with a slip find the row that they mean",
  async () => {
    await office.bulk(SLIPS.map(({ note }) => ({ content: note, memory_type: "episode" })));
    await models.settle();
    const misses: string[] = [];
    for (const { note, question } of SLIPS) {
      const { items } = await office.search(question, { top_k: 1 });
      if (items[0]?.content !== note) misses.push(`${question} -> ${items[0]?.content}`);
    }
    expect(misses.length > SLIPS.length / 50 ? misses : []).toEqual([]);
  },
  HANG_GUARD_MS,
);
