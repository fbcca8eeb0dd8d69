import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { modernClient } from "../mcp/clients.ts";
import type { Ran } from "../support/command-line.ts";
import { cairnIn } from "../support/command-line.ts";

// Rules of one name for everyone, in two projects, and for an agent, as somebody at a command line and an agent see them.

setDefaultTimeout(120_000);
afterAll(cleanUp);

type Here = ReturnType<typeof cairnIn>;
let [outside, red, blue]: Here[] = [];
const at = (here: Here | undefined, ...words: string[]): Promise<Ran> =>
  here?.(["keystones", ...words]) ?? expect.unreachable("There is no such folder.");
const listed = async (here: Here | undefined, ...words: string[]) => (await at(here, "list", ...words)).out;

async function aPlace() {
  const data = aFolder();
  const { client, port } = await spawnServer({ folder: data });
  const folder = aFolder();
  for (const name of ["red", "blue"]) {
    mkdirSync(join(folder, name), { recursive: true });
    await Bun.write(join(folder, name, ".cairn.json"), JSON.stringify({ project: name }));
  }
  return { client, url: `http://127.0.0.1:${port}`, data, folder };
}
let place: Awaited<ReturnType<typeof aPlace>>;

beforeEach(async () => {
  place = await aPlace();
  const { data, folder } = place;
  [outside, red, blue] = [aFolder(), join(folder, "red"), join(folder, "blue")].map((one) => cairnIn(data, one));
});

test("set at three places, three rules stand, and none hides another", async () => {
  await at(red, "set", "style", "Everyone's.", "--no-scope");
  expect((await at(red, "set", "style", "Red's.")).err).not.toContain("Replaced");
  await at(blue, "set", "style", "Blue's.");
  expect(await listed(red)).toMatch(/style\s.*everyone[\s\S]*Everyone's\./);
  expect(await listed(red)).toMatch(/style\s.*project red.*Red's\./);
  expect(await listed(red)).not.toContain("Blue's.");
  expect(await listed(blue)).toContain("Blue's.");
  expect(await listed(outside)).toContain("Everyone's.");
  expect(await listed(outside)).not.toMatch(/Red's|Blue's/);
  const { out } = await at(red, "list", "--json");
  expect(out).not.toContain("~");
});

test("what is replaced and removed is said, and where", async () => {
  await at(red, "set", "style", "Everyone's.", "--no-scope");
  await at(red, "set", "style", "Red's.");
  expect((await at(red, "set", "style", "Red's, anew.")).err).toContain(
    'Replaced the rule of project red that said "Red\'s.".',
  );
  const removed = await at(red, "rm", "style");
  expect(removed).toMatchObject({
    code: 0,
    out: "style",
    err: expect.stringContaining('Removed the rule of project red that said "Red\'s, anew.".'),
  });
  const again = await at(red, "rm", "style");
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("`cairn keystones rm style --no-scope`")]);
  expect(again.err).toContain("No rule 'style' stands for project red. It stands for everyone");
  expect(await listed(red)).toContain("Everyone's.");
  const { err } = await at(red, "rm", "style", "--no-scope");
  expect(err).toContain("Removed everyone's rule that said");
  expect(await listed(red)).toBe("");
});

test("a rule of one agent without a project binds it in every one", async () => {
  expect((await at(outside, "set", "style", "Bob's.", "--agent", "bob")).err).toContain("bob wherever it works");
  expect((await at(red, "set", "style", "Bob's in red.", "--agent", "bob")).err).toContain("Project red");
  for (const here of [outside, red, blue]) expect(await listed(here, "--agent", "bob")).toContain("Bob's.");
  expect(await listed(red, "--agent", "bob")).toContain("Bob's in red.");
  expect(await listed(blue, "--agent", "bob")).not.toContain("Bob's in red.");
  expect(await listed(red)).toBe("");
  const elsewhere = await at(blue, "rm", "style");
  expect(elsewhere.err).toContain("--no-scope --agent bob");
  expect(elsewhere.err).toContain("--project red --agent bob");
  expect((await at(red, "rm", "style", "--agent", "bob")).code).toBe(0);
  expect(await listed(red, "--agent", "bob")).toContain("Bob's.");
});

test("a lock is of the rule at its place", async () => {
  await at(red, "set", "style", "Everyone's.", "--no-scope");
  await at(red, "set", "style", "Red's.");
  expect((await at(red, "lock", "style")).code).toBe(0);
  expect(await listed(red)).toMatch(/project red.*locked.*Red's\./);
  expect(await listed(outside)).not.toMatch(/locked/);
  expect((await at(blue, "unlock", "style")).err).toContain("--project red");
});

test("an agent over MCP sets and removes at its place, and reads each by an address of its own", async () => {
  await outside?.(["settings", "set", "keystones.from_mcp", "write"]);
  await at(outside, "set", "style", "Everyone's.");
  // The folder is the project's own: it names it before an agent does.
  expect(await listed(red)).toContain("Everyone's.");
  const agent = await modernClient(`${place.url}/mcp`, { "x-cairn-project": "red" });
  const ask = async (given: Record<string, unknown>) => JSON.stringify(await agent.call("keystones", given));
  const rule = { op: "set", doc_id: "style", title: "Style", content: "Red's." };
  expect(await ask(rule)).not.toContain("It replaced");
  expect(await ask({ ...rule, content: "Red's, anew." })).toContain("It replaced");
  expect(await listed(outside)).toContain("Everyone's.");
  const { resources } = await agent.raw.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(2);
  const texts = await Promise.all(uris.map(async (uri) => JSON.stringify(await agent.raw.readResource({ uri }))));
  expect(texts.filter((text) => text.includes("Red's, anew."))).toHaveLength(1);
  expect(agent.raw.getInstructions()).toContain("style");
  expect(await ask({ op: "remove", doc_id: "style" })).toContain("Removed");
  expect(await ask({ op: "remove", doc_id: "style" })).toContain("NOT_FOUND");
  expect(await listed(red)).toContain("Everyone's.");
  expect(await ask({ ...rule, scope: "agent", agent_id: "ada", project: "blue" })).not.toContain("isError");
  await agent.close();
});

test("what is proposed is decided by its place", async () => {
  const propose = async (body: object) =>
    (await place.client.call("POST", "/api/v1/keystone-proposals", { body: { doc_id: "style", ...body } })).status;
  const rule = { title: "Style", weight: "low", place: true };
  expect(await propose({ rule: { ...rule, content: "Red's.", scope: "fleet", fleet_id: "red" } })).toBe(202);
  expect(await propose({ rule: { ...rule, content: "Blue's.", scope: "fleet", fleet_id: "blue" } })).toBe(202);
  const unsaid = await at(outside, "dismiss", "style");
  expect([unsaid.code, unsaid.err]).toEqual([
    1,
    expect.stringContaining("cairn keystones dismiss style --project red"),
  ]);
  expect((await at(red, "dismiss", "style")).code).toBe(0);
  const { out } = await at(outside, "--json");
  expect(JSON.parse(out).proposals).toMatchObject([{ fleet_id: "blue" }]);
  expect((await at(outside, "dismiss", "style")).code).toBe(0);
});
