import { afterAll, expect, test } from "bun:test";
import { Memory } from "../../src/core/schema/memory.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { openApp } from "../support/in-process.ts";
import { modernClient } from "./clients.ts";

const { app, client: http } = await openApp();
const mcp = `${app.listen().url}/mcp`;
afterAll(() => app.stop());
const api = memoriesApi(http);
const client = await modernClient(mcp);
afterAll(() => client.close());
const call = async (name: string, given: Record<string, unknown>) => {
  const { structuredContent, isError, content } = await client.call(name, given);
  return { is_error: isError ?? false, answer: structuredContent ?? {}, text: content[0]?.text ?? "" };
};
/** Somebody else changes it, behind the agent's back. */
const edit = (id: string, body: object) =>
  http.ok(Memory, "PATCH", `/api/v1/memories/${id}`, { query: { tenant_id: "default" }, body });
const shared = (content: string) => api.write({ content, visibility: "scope_org" });

test("cards and whole memories show the version that an agent sees", async () => {
  const { id, version } = await shared("The figurehead is carved from oak.");
  for (const [name, given, list] of [
    ["search", { query: "What is the figurehead carved from?" }, "memories"],
    ["list", {}, "memories"],
    ["get", { ids: [id] }, "memories"],
    ["recall", { query: "What is the figurehead carved from?" }, "sources"],
  ] as const) {
    const { answer, text } = await call(name, given);
    expect(answer[list]).toContainEqual(expect.objectContaining({ id, version }));
    expect(text).toContain(`${id}, version ${version}]`);
  }
});

test.each(["changed", "wrong"])(
  "a correction because it is %s, of what changed since, is refused and told",
  async (because) => {
    const seen = await shared(`The ${because} cargo is salt.`);
    const now = await edit(seen.id, { content: `The ${because} cargo is salt and hemp.` });
    const correction = { id: seen.id, content: `The ${because} cargo is coal.`, because };
    const refused = await call("correct", { ...correction, version: seen.version });
    expect(refused.is_error).toBe(true);
    expect(JSON.parse(refused.text).error).toEqual({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining(now.version),
      details: { current: { version: now.version, status: "active", content: now.content } },
    });
    expect((await api.get(seen.id)).content).toBe(now.content);
    expect((await call("correct", { ...correction, version: now.version })).is_error).toBe(false);
  },
);

test("of memories to be forgotten those that changed since stay", async () => {
  const [one, two] = [await shared("The lantern is broken."), await shared("The bell is cracked.")];
  await edit(two.id, { title: "Bell" });
  const { answer } = await call("forget", { ids: [one.id, two.id], versions: [one.version, two.version] });
  expect(answer).toMatchObject({ done: [one.id], missing: [], refused: [{ id: two.id, code: "PRECONDITION_FAILED" }] });
  expect((await call("forget", { ids: [one.id, two.id], versions: [one.version] })).is_error).toBe(true);
  expect((await call("forget", { ids: [one.id], versions: [one.version], undo: true })).answer).toMatchObject({
    done: [one.id],
  });
});

test("a document that changed since it was read is not written over, nor deleted", async () => {
  const named = { collection: "plans", doc_id: "voyage" };
  const write = (data: object, version?: unknown) =>
    call("documents", { op: "write", ...named, data, ...(version === undefined ? {} : { version }) });
  await write({ leg: 1 });
  const read = Object((await call("documents", { op: "read", ...named })).answer.result);
  await write({ leg: 2 });
  const refused = await write({ leg: 3 }, read.version);
  expect([refused.is_error, JSON.parse(refused.text).error.code]).toEqual([true, "PRECONDITION_FAILED"]);
  expect((await call("documents", { op: "delete", ...named, version: read.version })).is_error).toBe(true);
  const now = Object((await call("documents", { op: "read", ...named })).answer.result);
  expect(now.data).toEqual({ leg: 2 });
  expect((await write({ leg: 3 }, now.version)).is_error).toBe(false);
});

test("the older tool holds to a version, too", async () => {
  const seen = await shared("The pump runs on diesel.");
  await edit(seen.id, { content: "The pump runs on petrol." });
  const manage = (fields: object) => call("caura_manage", { memory_id: seen.id, version: seen.version, ...fields });
  for (const fields of [
    { op: "update", content: "The pump runs on steam." },
    { op: "transition", status: "archived" },
    { op: "delete" },
  ])
    expect((await manage(fields)).text).toContain("PRECONDITION_FAILED");
  expect(await api.get(seen.id)).toMatchObject({ content: "The pump runs on petrol.", status: "active" });
});
