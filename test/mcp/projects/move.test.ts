import { afterAll, describe, expect, test } from "bun:test";
import { ProjectResolved } from "../../../src/core/schema/projects/project.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { CLIENTS, modernClient, savedBy } from "../clients.ts";
import { answerOf, lookedAt, refusalIn } from "./support.ts";

const { app, client: http } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());
const api = memoriesApi(http);
const WITH_ALL = { "x-cairn-tools": "all" };

for (const remote of ["github.com/north/api", "github.com/south/api", "github.com/anna/mill"])
  await http.ok(ProjectResolved, "POST", "/api/v1/projects/resolve", { body: { remote, save: true } });
const aStatement = () => `The weir of lock ${crypto.randomUUID()} is opened at dawn.`;

describe.each(CLIENTS)("over %p, what was saved for everyone", (connect) => {
  test("moves into a project by any of its names, and back, under the same id", async () => {
    const client = await connect(mcp, WITH_ALL);
    const content = aStatement();
    const [id] = savedBy(await answerOf(client, "remember", { content })).map((saved) => saved.id);
    if (id === undefined) throw new Error("Nothing was saved.");
    const ids = [id];
    const seen = async (given = {}) => (await lookedAt(client, "search", content, given)).rows.map((row) => row.id);
    expect(await seen()).toContain(id);

    const tried = await answerOf(client, "move", { ids, to: "mill", dry_run: true });
    expect(tried).toMatchObject({
      moved: 1,
      to: "mill",
      said: expect.stringContaining("Would move 1 to project mill"),
    });
    expect(await seen()).toContain(id);

    const moved = await answerOf(client, "move", { ids, to: "mill" });
    expect(moved).toMatchObject({ moved: 1, items: [{ id, outcome: "moved" }] });
    expect(await api.get(id)).toMatchObject({ fleet_id: "anna/mill", visibility: "scope_team" });
    expect(await seen()).not.toContain(id);
    expect(await seen({ project: "mill" })).toContain(id);
    const { items } = (await answerOf(client, "audit", { id })).result as { items?: { action: string }[] };
    expect(items?.map(({ action }) => action)).toContain("memory.move");

    expect(await answerOf(client, "move", { ids, everyone: true })).toMatchObject({ moved: 1, to: null });
    expect(await api.get(id)).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    await client.close();
  });
});

test("what cannot be moved is told with the reason", async () => {
  const client = await modernClient(mcp, WITH_ALL);
  const { id } = await api.write({ fleet_id: "anna/mill", content: aStatement() });
  const { id: twin, content } = await api.write({ fleet_id: "anna/mill", content: aStatement() });
  const { id: standing } = await api.write({ fleet_id: "north/api", content });
  const there = await answerOf(client, "move", { ids: [id], to: "mill" });
  expect(there).toMatchObject({ moved: 0, items: [{ id, outcome: "already_there" }] });
  const same = await answerOf(client, "move", { ids: [twin], to: "north/api" });
  expect(same).toMatchObject({ items: [{ outcome: "duplicate", existing_id: standing }] });
  expect(same.said).toContain(`${twin} stays: ${standing} says the same there`);
  for (const [given, code] of [
    [{ to: "api" }, "CONFLICT"],
    [{ to: "*" }, "INVALID_ARGUMENTS"],
    [{}, "INVALID_ARGUMENTS"],
    [{ to: "mill", everyone: true }, "INVALID_ARGUMENTS"],
  ] as const)
    expect([given, refusalIn(await client.call("move", { ids: [id], ...given })).code]).toEqual([given, code]);
  await client.close();
});
