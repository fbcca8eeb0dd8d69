import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn, cairnOnTerminal } from "../support/command-line.ts";

setDefaultTimeout(60_000);
afterAll(cleanUp);

let piped: ReturnType<typeof cairnIn>;
let shown: ReturnType<typeof cairnOnTerminal>;

beforeAll(async () => {
  const data = aFolder();
  await spawnServer({ folder: data });
  const place = aFolder();
  piped = cairnIn(data, place);
  shown = cairnOnTerminal(data, place);
});

test("an edit says what it retired, as a new memory does, and nothing where the statement stays", async () => {
  const { out: other } = await piped(["add", "The staging database runs Postgres 14."]);
  const { out: id } = await piped(["add", "The lamp of the pier is painted green."]);
  const text = await shown(["edit", id, "--text", "The staging database runs Postgres 16."]);
  expect(text).toMatch(/"The staging database runs Postgres 14\." is \w+ now, by what you wrote\./);
  expect(text).toContain(`cairn contradictions ${other} --undo`);
  expect(await shown(["edit", id, "--title", "Staging"])).not.toContain("by what you wrote");
});

test("a password that is written down is told of, not refused", async () => {
  const { out: id, err } = await piped(["add", "My password for staging is hunter2."]);
  expect(err).toContain(
    `holds a password or a key: whoever may read it is told it, agents too. Take it back: \`cairn rm ${id} --erase\``,
  );
  expect((await piped(["edit", id, "--text", "The password is in the safe."])).err).not.toContain("or a key");
});

test("a list says of which day it is that a memory holds from it", async () => {
  await piped(["add", "The mole was closed.", "--valid-from", "2021-03-03"]);
  await piped(["add", "The mole is patrolled by a watchman."]);
  const lines = (await shown(["list"])).split("\n");
  expect(lines.find((line) => line.includes("was closed"))).toMatch(/ from \d+ years ago /);
  expect(lines.find((line) => line.includes("watchman"))).not.toContain(" from ");
  expect((await piped(["list"])).out).not.toContain("from ");
});

test("a rule has the room of its table, and its name stands once where it has no title", async () => {
  const rule = "Prices are kept in minor units, as integers, and never as floating point numbers.";
  await piped(["keystones", "set", "money", rule, "--project", "a-project-of-a-rather-long-name"]);
  await piped(["keystones", "set", "slow", "Ask before a migration.", "--title", "No hurry"]);
  const text = await shown(["keystones", "list", "--project", "a-project-of-a-rather-long-name"]);
  expect(text).toContain(rule.slice(0, 40));
  expect(text).not.toContain("money: ");
  expect(text).toContain("No hurry: Ask before");
  const { out } = await piped(["keystones", "list", "--project", "a-project-of-a-rather-long-name"]);
  expect(out).toContain("project a-project-of-a-rather-long-name");
  expect(out).toContain(rule);
});

test("collections are those of people, and Cairn's own where they are asked for", async () => {
  await piped(["keystones", "set", "money", "Prices are integers."]);
  await piped(["docs", "put", "plans", "launch", '{"day":"Friday"}']);
  const { out } = await piped(["docs", "collections"]);
  expect(out).toContain("plans");
  expect(out).not.toContain("_keystones");
  expect((await piped(["docs", "collections", "--all"])).out).toContain("_keystones");
});
