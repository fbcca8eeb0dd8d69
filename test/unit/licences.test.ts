import { expect, test } from "bun:test";
import { collect, listed, lockedPackages, written } from "../../scripts/licences/collect.ts";
import { JUDGE_MODEL } from "../../src/ai/open.ts";
import { licencesText } from "../../src/cli/licences.ts";

const text = await licencesText();

test("what cairn licenses shows is up to date; else run `bun scripts/licences.ts`", async () => {
  expect(text === written(await collect())).toBe(true);
});

test("THIRD_PARTY.md lists the same", async () => {
  expect(await Bun.file("THIRD_PARTY.md").text()).toBe(listed(await collect()));
});

test("it names every package of the production tree, every model and the runtime, each with a text", async () => {
  const names = (await lockedPackages()).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  for (const name of [...names, "Bun", "SQLite", "WebKit", "model multilingual-e5-notes-v1", `model ${JUDGE_MODEL}`])
    expect([name, text.includes(`\n${name}`) || text.includes(`${name},`) || text.includes(`and ${name}`)]).toEqual([
      name,
      true,
    ]);
  for (const { name, source, text: terms } of await collect()) {
    expect([name, terms.length > 100]).toEqual([name, true]);
    expect([name, source]).toEqual([
      name,
      expect.stringMatching(name.startsWith("model ") ? /\w{5}/ : /^https:\/\/\w/),
    ]);
  }
});
