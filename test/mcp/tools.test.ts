import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { ALL_TOOLS, DEFAULT_TOOLS } from "../../src/mcp/tools/all.ts";
import { openApp } from "../support/in-process.ts";
import { aPair, judgeBy } from "../support/possible.ts";
import { CLIENTS, cardsOf, modernClient, savedBy } from "./clients.ts";

const { app, client: http } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());

const setRulesFromMcp = (from_mcp: "propose" | "write") =>
  http.call("PATCH", "/api/v1/settings", { body: { keystones: { from_mcp } } });
const IN_ALPHA = { "x-cairn-project": "alpha", "x-cairn-project-source": "git%20remote" };
/** Characters of a text that a card shows at least where it names it beside another. */
const SHOWN = 40;
/** Characters of a token of JSON, at least: with fewer a list would hold more tokens than it is counted to hold. */
const TOKEN = 3.5;

test("the usual list costs less than 4,000 tokens", () => {
  const listed = DEFAULT_TOOLS.map((tool) => tool.listed);
  expect(DEFAULT_TOOLS.length).toBeLessThanOrEqual(9);
  expect(JSON.stringify(listed).length / TOKEN).toBeLessThan(4_000);
});

describe.each(CLIENTS.map((connect) => [connect.name, connect] as const))("%s", (_, connect) => {
  test("lists the usual tools, and all where it asks for them, always in one order", async () => {
    const client = await connect(mcp);
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toEqual(DEFAULT_TOOLS.map(({ name }) => name));
    const more = await connect(`${mcp}/?tools=all`);
    const all = await more.list();
    expect(all.map(({ name }) => name)).toEqual(ALL_TOOLS.map(({ name }) => name));
    for (const { name, inputSchema, outputSchema, annotations } of all)
      expect([name, inputSchema, outputSchema, annotations]).toEqual([
        name,
        expect.objectContaining({ type: "object" }),
        expect.objectContaining({ type: "object" }),
        expect.objectContaining({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) }),
      ]);
    await Promise.all([client.close(), more.close()]);
  });

  test("calls every tool", async () => {
    const client = await connect(mcp, { ...IN_ALPHA, "x-cairn-tools": "all" });
    const era = `${client.era} ${crypto.randomUUID().slice(0, 8)}`;
    const ask = async (name: string, given: Record<string, unknown>) => {
      const { structuredContent, isError, content } = await client.call(name, given);
      expect([name, isError ?? false, content[0]?.text]).toEqual([name, false, expect.any(String)]);
      return structuredContent ?? {};
    };
    const saved = await ask("remember", { content: `Releases of the ${era} line are cut on Tuesdays.` });
    expect(saved).toMatchObject({ project: "alpha", project_source: "git remote", saved: [{ outcome: "saved" }] });
    const id = String(savedBy(saved)[0]?.id);
    const found = await ask("search", { query: `when are releases of ${era} cut?` });
    expect(found).toMatchObject({
      project: "alpha",
      memories: [{ id, project: "alpha" }, ...Array(4).fill(expect.anything())].slice(
        0,
        (found.memories as unknown[]).length,
      ),
    });
    expect(String((await ask("recall", { query: `releases of the ${era} line` })).answer)).toContain("Tuesdays");
    expect((await ask("get", { ids: [id] })).memories).toMatchObject([{ id, content: expect.stringContaining(era) }]);
    expect((await ask("list", { limit: 50 })).memories).toContainEqual(expect.objectContaining({ id }));
    const corrected = await ask("correct", { id, content: `Releases of the ${era} line are cut on Thursdays.` });
    expect(corrected).toMatchObject({ replaced: id, replaced_status: "outdated" });
    const mended = await ask("correct", {
      id: corrected.id,
      content: `Releases of the ${era} line are cut on Fridays.`,
      because: "wrong",
    });
    expect(mended).toMatchObject({ id: corrected.id, replaced: null });
    expect(await ask("forget", { ids: [id] })).toEqual({ done: [id], missing: [], refused: [] });
    expect(await ask("forget", { ids: [id], undo: true })).toEqual({ done: [id], missing: [], refused: [] });
    await ask("documents", { op: "write", collection: "plans", doc_id: "one", data: { summary: "A plan." } });
    expect((await ask("documents", { op: "read", collection: "plans", doc_id: "one" })).result).toMatchObject({
      data: { summary: "A plan." },
    });
    await ask("documents", { op: "search", query: "a plan" });
    await ask("documents", { op: "query", collection: "plans", where: {} });
    await ask("documents", { op: "collections" });
    await ask("documents", { op: "delete", collection: "plans", doc_id: "one" });
    await ask("keystones", { op: "set", doc_id: "no-force", title: "No force", content: "Never force-push to main." });
    expect((await ask("keystones", {})).result).toEqual([]);
    await setRulesFromMcp("write");
    await ask("keystones", { op: "set", doc_id: "no-force", title: "No force", content: "Never force-push to main." });
    expect((await ask("keystones", {})).result).toMatchObject([{ doc_id: "no-force" }]);
    await ask("keystones", { op: "remove", doc_id: "no-force" });
    await setRulesFromMcp("propose");
    for (const [name, given] of Object.entries({ status: {}, contradictions: { id }, entities: {}, agents: {} }))
      await ask(name, given);
    await client.close();
  });

  test("is told of wrong names, arguments and values with the nearest", async () => {
    const client = await connect(mcp);
    await expect(client.call("serach", { query: "x" })).rejects.toThrow(/no tool 'serach'.*'search'/);
    const refused = async (name: string, given: Record<string, unknown>) => {
      const { isError, content } = await client.call(name, given);
      expect(isError).toBe(true);
      return JSON.parse(content[0]?.text ?? "").error;
    };
    expect(await refused("search", { qery: "x" })).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringMatching(/'qery': did you mean 'query'/),
    });
    expect((await refused("search", { query: "x", status: "activ" })).message).toContain("did you mean 'active'");
    expect((await refused("documents", { op: "read" })).message).toContain("doc_id");
    expect((await refused("remember", {})).message).toContain("content");
    expect((await refused("remember", { content: "x".repeat(10_001) })).message).toContain("10000 characters");
    expect((await refused("get", { ids: ["no-id"] })).code).toBe("INVALID_ARGUMENTS");
    await client.close();
  });
});

describe("a save", () => {
  test("answers with what it contradicts, and with what says the same", async () => {
    const client = await modernClient(mcp, { "x-cairn-project": "beta" });
    const { structuredContent: first } = await client.call("remember", {
      content: "The deploy window of beta is Tuesday.",
    });
    const { structuredContent } = await client.call("remember", { content: "The deploy window of beta is Thursday." });
    const [old] = savedBy(first);
    expect(structuredContent?.contradicts).toEqual([expect.objectContaining({ id: old?.id, now: "conflicted" })]);
    const again = await client.call("remember", { content: "The deploy window of beta is Thursday." });
    expect(again.structuredContent?.saved).toMatchObject([{ outcome: "already there" }]);
    await client.close();
  });

  test("of several statements takes each for itself", async () => {
    const client = await modernClient(mcp);
    const notes = ["Alpaca feed is bought from the mill.", "The barn key hangs behind the door."];
    const { structuredContent } = await client.call("remember", { notes });
    expect(structuredContent).toMatchObject({ saved: [{ outcome: "saved" }, { outcome: "saved" }], project: null });
    await client.close();
  });
});

describe("what an answer says", () => {
  test("names the day from which a memory holds and the one on which it was written, in each tool alike", async () => {
    const written = new Date().toISOString().slice(0, 10);
    const client = await modernClient(mcp, { "x-cairn-project": "dated" });
    const content = "The dated ferry was painted green on 3 March 2021.";
    const { structuredContent: saved } = await client.call("remember", { content });
    const id = savedBy(saved)[0]?.id;
    for (const [name, given] of [
      ["search", { query: "dated ferry painted green" }],
      ["list", {}],
      ["get", { ids: [id] }],
    ] as const)
      expect((await client.call(name, given)).content[0]?.text).toMatch(
        new RegExp(`\\[2021-03-03, dated[^;\\n]*, written ${written};`),
      );
    const listed = (await client.call("list", {})).structuredContent?.memories;
    expect(listed).toContainEqual(expect.objectContaining({ id, date: "2021-03-03", written }));
    await client.close();
  });

  test("shows what has the status that was asked for first, and marks what took its place", async () => {
    const client = await modernClient(mcp, { "x-cairn-project": "retired" });
    for (const day of ["Tuesday", "Thursday"])
      await client.call("remember", { content: `The retired deploy window is ${day}.` });
    const asked = { query: "retired deploy window", status: "conflicted", min_score: 0 };
    const { structuredContent, content } = await client.call("search", asked);
    const [first, second] = cardsOf(structuredContent);
    expect([first?.text, second?.text]).toEqual([
      "The retired deploy window is Tuesday.",
      "The retired deploy window is Thursday.",
    ]);
    expect(content[0]?.text).toMatch(/\n- \[[^\]]*, active, successor; [^\]]*\] The retired deploy window is Thursday/);
    await client.close();
  });

  test("tells of a memory that may have changed by which newer one, in each tool that shows cards", async () => {
    const { older, newer, scores } = await aPair("Ebersbach");
    const judge = judgeBy((pair) => (pair.newer === newer ? scores.possible : undefined));
    const judged = await openApp({ embedder: hashEmbedder(), judge });
    const client = await modernClient(`${judged.app.listen().url}/mcp`, { "x-cairn-project": "sung" });
    const [old] = savedBy((await client.call("remember", { content: older })).structuredContent);
    const [now] = savedBy((await client.call("remember", { content: newer })).structuredContent);
    await judged.settle();
    const Cards = z.object({
      memories: z.array(z.object({ id: z.string(), may_have_changed: z.string().optional() })),
    });
    for (const [name, given] of [
      ["search", { query: "where does the choir of Ebersbach meet?", min_score: 0 }],
      ["list", {}],
    ] as const) {
      const { structuredContent, content } = await client.call(name, given);
      const changes = new Map(Cards.parse(structuredContent).memories.map((card) => [card.id, card.may_have_changed]));
      expect([name, changes.get(old?.id ?? ""), changes.get(now?.id ?? "")]).toEqual([
        name,
        expect.stringContaining(`${now?.id}: ${newer.slice(0, SHOWN)}`),
        undefined,
      ]);
      const lines = content[0]?.text?.split("\n") ?? [];
      expect(lines.filter((line) => line.includes("may have changed"))).toEqual([
        expect.stringMatching(
          new RegExp(`may have changed by ${now?.id}: ${newer.slice(0, SHOWN)}.*${old?.id}.*${older}$`),
        ),
      ]);
    }
    await client.close();
    await judged.app.stop();
  });

  test("warns of what looks like a password or a key, and not of what is said about them", async () => {
    const client = await modernClient(mcp);
    const noteOf = async (content: string) =>
      (await client.call("remember", { content })).structuredContent?.note ?? "nothing";
    expect(await noteOf("My password for staging is hunter2.")).toContain("looks like it holds a password or a key");
    for (const content of ["We hash passwords with argon2id.", "The access token is 3600 seconds valid."])
      expect(await noteOf(content)).not.toContain("password or a key");
    await client.close();
  });

  test("tells what a proposed rule changes, and how a document is found", async () => {
    const client = await modernClient(mcp);
    const rule = { op: "set", doc_id: "no-friday", title: "No Friday", content: "Never deploy on a Friday." };
    const proposed = await client.call("keystones", rule);
    expect(proposed.content[0]?.text).toContain("no-friday binds nobody until a person accepts");
    const at = { collection: "plans", doc_id: "bare" };
    const bare = await client.call("documents", { op: "write", ...at, data: { day: 4 } });
    expect(bare.content[0]?.text).toContain("search finds one that has a `summary`");
    const found = await client.call("documents", { op: "write", ...at, data: { summary: "Found.", day: 4 } });
    expect(found.content[0]?.text).not.toContain("search finds");
    await client.close();
  });
});

describe("a project", () => {
  test("is looked at with what is for everyone, never with another's", async () => {
    const [ours, theirs, shared] = await Promise.all([
      modernClient(mcp, { "x-cairn-project": "ours" }),
      modernClient(mcp, { "x-cairn-project": "theirs" }),
      modernClient(mcp),
    ]);
    await ours.call("remember", { content: "The standup of the pump crew is in room otter." });
    await theirs.call("remember", { content: "Reviews of the billing code happen in room heron." });
    await shared.call("remember", { content: "Lunch for visitors is served in room whale." });
    const texts = async (client: typeof ours, given = {}) => {
      const { structuredContent } = await client.call("search", { query: "which room", ...given });
      return cardsOf(structuredContent)
        .map(({ text }) => text.split(" ").at(-1))
        .sort();
    };
    const sees = async (client: typeof ours, given = {}) => {
      const found = await texts(client, given);
      return ["heron.", "otter.", "whale."].filter((animal) => found.includes(animal));
    };
    expect(await sees(ours)).toEqual(["otter.", "whale."]);
    expect(await sees(theirs)).toEqual(["heron.", "whale."]);
    expect(await sees(ours, { project: "theirs" })).toEqual(["heron.", "whale."]);
    expect(await sees(shared)).toEqual(["whale."]);
    expect(await sees(shared, { project: "*" })).toEqual(["heron.", "otter.", "whale."]);
    const unknown = await ours.call("search", { query: "zzz quux", project: "our", min_score: 0.99 });
    expect(unknown.structuredContent?.notes).toEqual([
      expect.stringMatching(/project "our" yet\. Did you mean "ours"/),
    ]);
    await Promise.all([ours.close(), theirs.close(), shared.close()]);
  });
});

test("an answer keeps within its budget of tokens", async () => {
  const client = await modernClient(mcp, { "x-cairn-project": "long" });
  await client.call("remember", {
    notes: Array.from({ length: 20 }, (_, i) => `Note ${i}: ${"the pump room is inspected by hand ".repeat(6)}`),
  });
  const { structuredContent, content } = await client.call("search", {
    query: "pump room",
    top_k: 20,
    budget_tokens: 300,
  });
  expect((content[0]?.text ?? "").length / 4).toBeLessThan(400);
  expect(structuredContent?.more).toBeGreaterThan(5);
  await client.close();
});
