import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { temporaryFolder } from "../../support/app.ts";
import { cairnIn } from "../../support/command-line.ts";
import { openApp } from "../../support/in-process.ts";

// Who restores a backup that somebody else made takes up his keys, his rules and what he approved: it is said.

/** Against a hang alone. */
setDefaultTimeout(180_000);

const root = temporaryFolder();
afterAll(root.remove);
const place = (name: string): string => join(root.path, name);
const [theirs, plain] = [place("theirs.db.zst"), place("plain.db.zst")];

beforeAll(async () => {
  const { app, client } = await openApp({ folder: place("theirs") });
  await enableFactory(client);
  await skillsApi(client).write("tidy", { source: "manual", status: "active", content: "Put it back.\n" });
  await skillsApi(client).write("waits", { source: "manual", status: "staged", content: "Not yet.\n" });
  await app.stop();
  const cairn = cairnIn(place("theirs"), root.path);
  for (const words of [
    ["keys", "create", "--label", "one"],
    ["keys", "create", "--label", "other"],
    ["keystones", "set", "tone", "Write short sentences.", "--no-scope"],
    ["backup", theirs],
  ])
    expect([words, await cairn(words)]).toEqual([words, expect.objectContaining({ code: 0 })]);
  const other = cairnIn(place("plain"), root.path);
  expect(await other(["add", "The harbour office opens at seven."])).toMatchObject({ code: 0 });
  expect(await other(["backup", plain])).toMatchObject({ code: 0 });
});

const SAID = "With it come 2 keys, 1 rule and 1 approved skill";
const brought = { keys: 2, rules: 1, approved_skills: 1 };

test("before it is restored, by who looks through it, and by the restore", async () => {
  const cairn = cairnIn(place("mine"), root.path);
  expect(await cairn(["backup", "verify", theirs])).toMatchObject({ code: 0, err: expect.stringContaining(SAID) });
  const verified = await cairn(["backup", "verify", theirs, "--json"]);
  expect(JSON.parse(verified.out)).toMatchObject({ brought });
  expect(await cairn(["restore", theirs])).toMatchObject({ code: 0, err: expect.stringContaining(SAID) });
  const restored = await cairnIn(place("again"), root.path)(["restore", theirs, "--json"]);
  expect(JSON.parse(restored.out)).toMatchObject({ brought });
});

test("of a backup that has none of them no word is lost", async () => {
  const cairn = cairnIn(place("bare"), root.path);
  for (const words of [
    ["backup", "verify", plain],
    ["restore", plain],
  ]) {
    const { code, err } = await cairn(words);
    expect([code, err]).toEqual([0, expect.not.stringContaining("With it come")]);
  }
});
