import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { StatusChanged } from "../../../src/core/schema/memory-change.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

type Fields = Readonly<Record<string, unknown>>;
const options = (body: Fields, more: Readonly<Record<string, string>> = {}) => ({
  query: { tenant_id: TENANT, ...more },
  body,
});
const patch = (id: string, body: Fields, more?: Readonly<Record<string, string>>): Promise<Memory> =>
  client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, options(body, more));
const refused = (id: string, body: Fields, more?: Readonly<Record<string, string>>) =>
  client.refused("PATCH", `${MEMORIES}/${id}`, options(body, more));
const written = async (metadata: Fields | null) => (await api.write({ metadata })).id;

describe("the metadata of a patch", () => {
  test("are merged by top-level key: absent keys stay, keys in both take the new value whole", async () => {
    const id = await written({ kept: 1, deep: { a: 1, b: 2 } });
    const merged = { kept: 1, deep: { b: 3 }, fresh: [true], nothing: null };
    expect((await patch(id, { metadata: { deep: { b: 3 }, fresh: [true], nothing: null } })).metadata).toEqual(merged);
    expect((await patch(id, { metadata: {} })).metadata).toEqual(merged);
    expect((await api.get(id)).metadata).toEqual(merged);
  });

  test("of a memory that has none become its metadata", async () => {
    expect((await patch(await written(null), { metadata: { a: 1 } })).metadata).toEqual({ a: 1 });
  });

  test("replace all there was with metadata_mode=replace, from the body or the query", async () => {
    const id = await written({ old: 1 });
    expect((await patch(id, { metadata: { a: 1 }, metadata_mode: "replace" })).metadata).toEqual({ a: 1 });
    expect((await patch(id, { metadata: { b: 2 } }, { metadata_mode: "replace" })).metadata).toEqual({ b: 2 });
    expect((await patch(id, { metadata: {}, metadata_mode: "replace" })).metadata).toEqual({});
  });

  test.each([
    ["merge", "replace", { old: 1, a: 1 }],
    ["replace", "merge", { a: 1 }],
  ])("obey the body's %s where the query says %s", async (metadata_mode, inQuery, expected) => {
    const id = await written({ old: 1 });
    const changed = await patch(id, { metadata: { a: 1 }, metadata_mode }, { metadata_mode: inQuery });
    expect(changed.metadata).toEqual(expected);
  });

  test.each([
    ["query", {}, { metadata_mode: "merge" }],
    ["query", { title: "A title" }, { metadata_mode: "replace" }],
    ["body", { title: "A title", metadata_mode: "merge" }, {}],
  ])("that are missing beside metadata_mode in the %s are 422, and nothing changes", async (place, body, more) => {
    const id = await written({ old: 1 });
    const before = await api.get(id);
    const reply = await refused(id, body, more);
    expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
    expect<unknown>(reply.body.detail).toEqual([
      { loc: [place, "metadata_mode"], type: "value_error", msg: expect.stringContaining("metadata"), input: null },
    ]);
    expect(await api.get(id)).toEqual(before);
  });

  test("that are null clear only with metadata_mode=replace", async () => {
    const id = await written({ old: 1 });
    for (const body of [{ metadata: null }, { metadata: null, metadata_mode: "merge" }]) {
      expect(refusalOf(await refused(id, body))).toEqual([400, "BAD_REQUEST"]);
    }
    expect((await api.get(id)).metadata).toEqual({ old: 1 });
    expect((await patch(id, { metadata: null, metadata_mode: "replace" })).metadata).toBeNull();
  });

  test("keep every key that concurrent patches set", async () => {
    const id = await written({ first: 0 });
    const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);
    await Promise.all(keys.map((key, i) => patch(id, { metadata: { [key]: i } })));
    expect((await api.get(id)).metadata).toEqual({ first: 0, ...Object.fromEntries(keys.map((key, i) => [key, i])) });
  });

  test("keep both keys where one of two concurrent patches also changes the text", async () => {
    const id = await written({});
    const content = "A text that arrives beside another key.";
    await Promise.all([patch(id, { metadata: { a: 1 }, content }), patch(id, { metadata: { b: 2 } })]);
    expect(await api.get(id)).toMatchObject({ content, metadata: { a: 1, b: 2 } });
  });

  test("never set what only Cairn sets", async () => {
    const id = await written({ a: 1 });
    expect((await patch(id, { metadata: { embedding_pending: true, b: 2 } })).metadata).toEqual({ a: 1, b: 2 });
    const replaced = await patch(id, { metadata: { _system: { x: 1 }, c: 3 }, metadata_mode: "replace" });
    expect(replaced.metadata).toEqual({ c: 3 });
  });

  test.each([[[1]], ["text"], [7]])("that are no object, such as %j, are 422", async (metadata) => {
    expect(refusalOf(await refused(await written(null), { metadata }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("of an unknown mode are 422, whichever place names it", async () => {
    const id = await written({ a: 1 });
    const metadata = { b: 1 };
    expect(refusalOf(await refused(id, { metadata, metadata_mode: "deep" }))).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(refusalOf(await refused(id, { metadata }, { metadata_mode: "deep" }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });
});

describe("the status route", () => {
  const move = (id: string, status: unknown, more: Readonly<Record<string, string>> = {}) =>
    client.call("PATCH", `${MEMORIES}/${id}/status`, options({ status }, more));

  test("moves a memory to every status by hand, and says from where", async () => {
    const { id } = await api.write();
    let old_status = "active";
    for (const new_status of ["pending", "confirmed", "cancelled", "outdated", "conflicted", "archived", "active"]) {
      const { status, body } = await move(id, new_status);
      expect([status, body]).toEqual([200, { memory_id: id, old_status, new_status }]);
      expect((await api.get(id)).status).toBe(StatusChanged.parse(body).new_status);
      old_status = new_status;
    }
  });

  test("undoes a demotion, so that search finds the memory again", async () => {
    const { id, content } = await api.write({ status: "outdated" });
    expect(idsOf(await api.search(content))).not.toContain(id);
    await move(id, "active");
    expect(idsOf(await api.search(content))[0]).toBe(id);
  });

  test("to deleted is a delete", async () => {
    const { id } = await api.write({ status: "confirmed" });
    const { body } = await move(id, "deleted");
    expect(body).toEqual({ memory_id: id, old_status: "confirmed", new_status: "deleted" });
    expect((await client.refused("GET", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT } })).status).toBe(404);
    expect((await move(id, "active")).status).toBe(404);
    expect((await move(id, "deleted")).status).toBe(404);
  });

  test.each(["gone", "ACTIVE", "", null, 7])("refuses %j with 422", async (status) => {
    const { id } = await api.write();
    expect((await move(id, status)).status).toBe(422);
    expect((await api.get(id)).status).toBe("active");
  });

  test("of an unknown memory, or one that the named agent does not see, is 404", async () => {
    const { id } = await api.write({ agent_id: "ada", visibility: "scope_agent" });
    for (const status of ["archived", "deleted"]) {
      expect((await move(crypto.randomUUID(), status)).status).toBe(404);
      expect((await move(id, status, { agent_id: "bob" })).status).toBe(404);
    }
    expect((await move(id, "archived", { agent_id: "ada" })).status).toBe(200);
  });
});
