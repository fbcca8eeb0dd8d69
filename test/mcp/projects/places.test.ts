import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ProjectList, ProjectResolved } from "../../../src/core/schema/projects/project.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { CLIENTS, modernClient, savedBy, type TestClient } from "../clients.ts";
import { legacyCalls } from "../legacy-client.ts";
import { answerOf, LOOKERS, lookedAt, refusalIn, wordsIn } from "./support.ts";

const { app, client: http } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());
const api = memoriesApi(http);

const clients: TestClient[] = [];
afterAll(() => Promise.all(clients.map((one) => one.close())));
const connected = async (headers: Record<string, string> = {}, connect: (typeof CLIENTS)[number] = modernClient) => {
  const client = await connect(mcp, headers);
  clients.push(client);
  return client;
};
const inProject = (project: string, more: Record<string, string> = {}) =>
  connected({ "x-cairn-project": encodeURIComponent(project), ...more });

const resolve = async (body: object) => {
  const { project } = await http.ok(ProjectResolved, "POST", "/api/v1/projects/resolve", { body });
  if (project === null) throw new Error("No project.");
  return project;
};
const registered = async () => (await http.ok(ProjectList, "GET", "/api/v1/projects")).items.map(({ id }) => id);
const stored = (id: unknown) => api.get(String(id));

/** Two projects that are both called api, one that is called mill, and what is for everyone. */
const [NORTH, SOUTH, MILL, SHARED] = ["otter", "heron", "badger", "whale"] as const;
const ALL = [NORTH, SOUTH, MILL, SHARED];
const QUERY = "Which animal is the password of the room?";
beforeAll(async () => {
  for (const remote of ["github.com/north/api", "github.com/south/api", "github.com/anna/mill"])
    await resolve({ remote, save: true });
  await api.write({ fleet_id: "north/api", content: `The password of the north room is ${NORTH}.` });
  await api.write({ fleet_id: "south/api", content: `The password of the south room is ${SOUTH}.` });
  await api.write({ fleet_id: "anna/mill", content: `The password of the mill room is ${MILL}.` });
  await api.write({ visibility: "scope_org", content: `The password of the common room is ${SHARED}.` });
});

describe.each(CLIENTS)("over %p, a project", (connect) => {
  test("goes by its id, by any name that it alone has, and is shown as it is called", async () => {
    const client = await connected({}, connect);
    for (const named of ["anna/mill", "mill", "MILL"])
      for (const tool of LOOKERS) {
        const { rows, ...told } = await lookedAt(client, tool, QUERY, { project: named });
        expect([tool, told.project, told.project_source]).toEqual([tool, "mill", "argument"]);
        expect([tool, wordsIn(rows, ALL)]).toEqual([tool, [MILL, SHARED]]);
        for (const row of rows)
          expect([row.text, row.project]).toEqual([row.text, row.text.includes(MILL) ? "anna/mill" : undefined]);
        expect(told.said).toContain("Project mill (argument)");
      }
  });

  test("that the client sends along is found by its names, too", async () => {
    for (const [headers, project_source] of [
      [{}, "client"],
      [{ "x-cairn-project-source": "git%20remote" }, "git remote"],
    ] as const) {
      const client = await connected({ "x-cairn-project": "mill", ...headers }, connect);
      expect(client.raw.getInstructions()).toContain('project named "mill"');
      const told = await lookedAt(client, "search", QUERY);
      expect(told).toMatchObject({ project: "mill", project_source });
      expect(wordsIn(told.rows, ALL)).toEqual([MILL, SHARED]);
    }
    const known = { "x-cairn-project": "anna%2Fmill", "x-cairn-project-name": "mill" };
    const asked = await lookedAt(await connected(known, connect), "search", QUERY);
    expect([asked.project, wordsIn(asked.rows, ALL)]).toEqual(["mill", [MILL, SHARED]]);
  });

  test("whose name several have is asked for, and nothing of any is told meanwhile", async () => {
    const client = await connected({}, connect);
    for (const tool of LOOKERS) {
      const refused = refusalIn(await client.call(tool, { query: QUERY, project: "api" }));
      if (tool === "list") expect(refused.code).toBe("INVALID_ARGUMENTS");
      else {
        expect(refused).toMatchObject({ code: "CONFLICT", details: { projects: ["north/api", "south/api"] } });
        expect(refused.message).toContain("'north/api' or 'south/api'");
      }
    }
    expect(refusalIn(await client.call("list", { project: "api" })).code).toBe("CONFLICT");
    const content = "What of two is meant nobody can tell.";
    expect(refusalIn(await client.call("remember", { content, project: "api" })).code).toBe("CONFLICT");

    const sent = await connected({ "x-cairn-project": "api" }, connect);
    expect(sent.raw.getInstructions()).toContain("cannot be told");
    for (const tool of LOOKERS) {
      const { rows, notes, project } = await lookedAt(sent, tool, QUERY);
      expect([tool, wordsIn(rows, ALL), project]).toEqual([tool, [SHARED], null]);
      expect(notes.join(" ")).toContain("'north/api' or 'south/api'");
    }
    expect(refusalIn(await sent.call("remember", { content }))).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("'north/api' or 'south/api'"),
    });
    expect(wordsIn((await lookedAt(sent, "search", QUERY, { project: "north/api" })).rows, ALL)).toEqual([
      NORTH,
      SHARED,
    ]);
  });
});

describe("a project that nobody knows", () => {
  test("is told to hold nothing, with a name that is near, and is made by the first that is saved", async () => {
    const client = await inProject("mile");
    const { rows, notes, project } = await lookedAt(client, "search", QUERY);
    expect([wordsIn(rows, ALL), project]).toEqual([[SHARED], "mile"]);
    expect(notes.join(" ")).toMatch(/project "mile" yet\. Did you mean "mill"/);
    expect(await registered()).not.toContain("mile");
    const saved = await answerOf(client, "remember", { content: "A mile of the canal is locked in winter." });
    expect(saved).toMatchObject({ project: "mile", is_new_project: true });
    expect(await registered()).toContain("mile");
    expect(await stored(savedBy(saved)[0]?.id)).toMatchObject({ fleet_id: "mile", visibility: "scope_team" });
  });

  test("is not made by a document that is read, and made by one that is written", async () => {
    const client = await connected();
    const at = { collection: "plans", doc_id: "shelf", project: "shelf" };
    await client.call("documents", { op: "read", ...at });
    expect(await registered()).not.toContain("shelf");
    await answerOf(client, "documents", { op: "write", ...at, data: { summary: "Shelves." } });
    expect(await registered()).toContain("shelf");
    const { result } = await answerOf(client, "documents", { op: "query", collection: "plans" });
    expect(result).toContainEqual(expect.objectContaining({ doc_id: "shelf", project: "shelf" }));
  });
});

describe("all projects", () => {
  test("are looked at where * is named, and each row says whose it is", async () => {
    for (const client of [await connected(), await inProject("mill")])
      for (const tool of LOOKERS) {
        const { rows, ...told } = await lookedAt(client, tool, QUERY, { project: "*" });
        expect([tool, wordsIn(rows, ALL), told.project]).toEqual([tool, [...ALL].sort(), "*"]);
        const owners = rows.filter(({ text }) => text.includes("password")).map(({ project }) => project ?? "everyone");
        expect(owners.sort()).toEqual(["anna/mill", "everyone", "north/api", "south/api"]);
      }
  });

  test("are no place to save in", async () => {
    const client = await connected();
    for (const [name, given] of [
      ["remember", { content: "This belongs to all projects at once." }],
      ["documents", { op: "write", collection: "plans", doc_id: "all", data: {} }],
      ["keystones", { op: "set", doc_id: "all", title: "All", content: "Never." }],
    ] as const)
      expect([name, refusalIn(await client.call(name, { ...given, project: "*" }))]).toEqual([
        name,
        expect.objectContaining({
          code: "INVALID_ARGUMENTS",
          message: expect.stringContaining("none to save for everyone"),
        }),
      ]);
  });

  test("are counted apart from what is for everyone, and from one", async () => {
    const client = await connected({ "x-cairn-tools": "all" });
    const total = async (given: object) => {
      const { result } = await answerOf(client, "status", { ...given });
      return (result as { memories: { total: number } }).memories.total;
    };
    const [all, one, shared] = [await total({ project: "*" }), await total({ project: "mill" }), await total({})];
    expect(one).toBe(1);
    expect(shared).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(shared + one);
  });
});

describe("outside any project", () => {
  test("what is for everyone is told, nothing of a project, and how to see more", async () => {
    const client = await connected();
    for (const tool of LOOKERS) {
      const { rows, notes, project, said } = await lookedAt(client, tool, QUERY);
      expect([tool, wordsIn(rows, ALL), project]).toEqual([tool, [SHARED], null]);
      for (const one of [notes.join(" "), said]) expect(one).toContain('project "*" looks at all');
    }
  });

  test("what is saved is everyone's, whatever its writer's home is, and says how to change that", async () => {
    const headers = { "x-cairn-agent": "homely" };
    const home = await inProject("anna/mill", headers);
    await answerOf(home, "remember", { content: "The homely agent began in the mill." });
    const outside = await connected(headers);
    const notes = ["The gate of the yard is green.", "The bell of the yard is cracked."];
    for (const given of [{ content: "The clock of the yard is slow." }, { notes }]) {
      const saved = await answerOf(outside, "remember", given);
      const ids = savedBy(saved).map(({ id }) => id);
      expect(saved).toMatchObject({
        project: null,
        note: expect.stringContaining(`cairn move ${ids.join(" ")} --to PROJECT`),
      });
      expect(saved.said).toContain("for everyone");
      for (const id of ids) expect(await stored(id)).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    }
    const alone = await answerOf(outside, "remember", {
      content: "Only I look at the sundial.",
      visibility: "scope_agent",
    });
    expect(alone).toMatchObject({ note: null, said: expect.stringContaining("for you alone") });
    expect(await stored(savedBy(alone)[0]?.id).catch(() => null)).toBeNull();
    const inside = await answerOf(home, "remember", {
      content: "All may know of the mill's pond.",
      visibility: "scope_org",
    });
    expect(await stored(savedBy(inside)[0]?.id)).toMatchObject({
      fleet_id: "anna/mill",
      visibility: "scope_org",
    });
  });

  test("a save is told of nothing that a project says", async () => {
    const content = "The vault of the quay opens with the code nine four two.";
    await api.write({ fleet_id: "anna/mill", content });
    const saved = await answerOf(await connected(), "remember", {
      content: content.replace("The vault", "The big vault"),
    });
    expect(saved).toMatchObject({ similar: [], contradicts: [] });
    const own = await answerOf(await inProject("mill"), "remember", {
      content: content.replace("The vault", "The old vault"),
    });
    expect(JSON.stringify(own.similar)).toContain("The vault of the quay");
  });

  test("of a memory that a project shows all, only what all see is told", async () => {
    const mill = await inProject("mill");
    await answerOf(mill, "remember", { content: "The grindstone of the mill is changed on Monday." });
    const shown = await answerOf(mill, "remember", {
      content: "The grindstone of the mill is changed on Friday.",
      visibility: "scope_org",
    });
    expect(JSON.stringify(shown.contradicts)).toContain("Monday");
    const ids = savedBy(shown).map(({ id }) => id);
    expect((await answerOf(mill, "get", { ids })).said).toContain("Monday");
    for (const client of [await connected(), await inProject("north/api")]) {
      const whole = await answerOf(client, "get", { ids });
      expect(whole.said).toContain("Friday");
      expect(JSON.stringify(whole)).not.toContain("Monday");
    }
  });
});

test("where the client's project cannot be told, what is for everyone is, and nothing is saved", async () => {
  const fault = encodeURIComponent("/x/.cairn.json names project 'mill', which was first used from elsewhere.");
  const client = await connected({ "x-cairn-project-fault": fault });
  for (const tool of LOOKERS) {
    const { rows, notes } = await lookedAt(client, tool, QUERY);
    expect([tool, wordsIn(rows, ALL), notes]).toEqual([
      tool,
      [SHARED],
      [expect.stringContaining("first used from elsewhere")],
    ]);
  }
  for (const [name, given] of [
    ["remember", { content: "This would be of the mill." }],
    ["documents", { op: "write", collection: "plans", doc_id: "of-mill", data: {} }],
    ["keystones", { op: "set", doc_id: "of-mill", title: "A", content: "Never." }],
  ] as const)
    expect([name, refusalIn(await client.call(name, given)).message]).toEqual([
      name,
      expect.stringContaining("first used from elsewhere"),
    ]);
  expect(await answerOf(client, "keystones", {})).toMatchObject({ notes: [expect.stringContaining("elsewhere")] });
});

test("older tools work in the project that the client's name means", async () => {
  const older = legacyCalls(await inProject("mill"));
  const { id } = await older.ask("write", { content: `The older tools grind ${crypto.randomUUID()}.` });
  expect(await stored(id)).toMatchObject({ fleet_id: "anna/mill" });
  const found = async (given: object) =>
    wordsIn(
      ((await older.ask("recall", { query: QUERY, top_k: 20, ...given })).results as { content: string }[]).map(
        ({ content: text }) => ({ text }),
      ),
      ALL,
    );
  expect(await found({})).toEqual([MILL, SHARED]);
  expect(await found({ fleet_ids: ["north/api"], agent_id: "visitor" })).toEqual([NORTH, SHARED]);
  const unclear = legacyCalls(await inProject("api"));
  expect((await unclear.refused("write", { content: "Of which of the two is this?" })).code).toBe("CONFLICT");
});
