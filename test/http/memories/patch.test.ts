import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

type Fields = Readonly<Record<string, unknown>>;
const at = (id: string): string => `${MEMORIES}/${id}`;
const query = (more: Readonly<Record<string, string>> = {}) => ({ tenant_id: TENANT, ...more });
const patch = (id: string, body: Fields, more?: Readonly<Record<string, string>>): Promise<Memory> =>
  client.ok(Memory, "PATCH", at(id), { query: query(more), body });
const refused = (id: string, body: Fields, more?: Readonly<Record<string, string>>) =>
  client.refused("PATCH", at(id), { query: query(more), body });

describe("a changed content", () => {
  test("is found by its own words and no longer by the old ones", async () => {
    const { id } = await api.write({ content: "The lighthouse keeper feeds a cormorant." });
    await patch(id, { content: "The lighthouse keeper repairs a gramophone." });
    expect(idsOf(await api.search("gramophone"))[0]).toBe(id);
    const { items, diagnostic } = await api.search("cormorant", { top_k: 20, diagnostic: true });
    expect(diagnostic?.all_candidates.filter(({ fts_match }) => fts_match)).toEqual([]);
    expect(items.find((item) => item.id === id)?.score_parts?.fts_score ?? 0).toBe(0);
  });

  test("has a vector and a hash of its own before the reply", async () => {
    const { id } = await api.write({ content: "Platform nine is closed for the summer." });
    const before = await api.get(id);
    const changed = await patch(id, { content: "Platform nine opens again in autumn." });
    const after = await api.get(id);
    expect(changed.metadata?.embedding_pending).toBeUndefined();
    expect(after.embedding_preview).not.toBeNull();
    expect(after.embedding_preview).not.toEqual(before.embedding_preview);
    expect(after.content_hash).not.toBe(before.content_hash);
    const { items } = await api.search("Platform nine opens again in autumn.");
    expect(items.find((item) => item.id === id)?.similarity).toBeGreaterThan(0.95);
  });

  test("of the same text keeps vector, status and link", async () => {
    const { id, content } = await api.write({ status: "outdated" });
    const before = await api.get(id);
    await patch(id, { content: `  ${content} ` });
    expect(await api.get(id)).toEqual(before);
  });

  test.each(["outdated", "conflicted"])("takes an %s memory back to active", async (status) => {
    const { id } = await api.write({ status });
    expect((await patch(id, { content: aStatement() })).status).toBe("active");
  });

  test.each(["confirmed", "pending", "archived", "cancelled"])("leaves the status %s alone", async (status) => {
    const { id } = await api.write({ status });
    expect((await patch(id, { content: aStatement() })).status).toBe(status);
  });

  test("takes the status that the same patch names", async () => {
    const { id } = await api.write({ status: "outdated" });
    expect((await patch(id, { content: aStatement(), status: "conflicted" })).status).toBe("conflicted");
  });

  test("is trimmed, and obeys the bounds of a create", async () => {
    const { id, content } = await api.write();
    for (const short of ["", "   too few   ", 42, null]) {
      expect(refusalOf(await refused(id, { content: short }))).toEqual([422, "INVALID_ARGUMENTS"]);
    }
    expect(refusalOf(await refused(id, { content: "x".repeat(10_001) }))).toEqual([422, "INVALID_ARGUMENTS"]);
    expect((await api.get(id)).content).toBe(content);
    expect((await patch(id, { content: `  ten chars  ${" ".repeat(7)}!` })).content).toHaveLength(19);
    expect((await patch(id, { content: "y".repeat(10_000) })).content).toHaveLength(10_000);
  });

  test("that the same author already stored is refused with 409 and its id; nothing changes", async () => {
    const twin = await api.write();
    const { id, content } = await api.write();
    const reply = await refused(id, { content: twin.content, weight: 0.9 });
    expect(refusalOf(reply)).toEqual([409, "DUPLICATE_MEMORY"]);
    expect(reply.body.error.details).toEqual({ existing_id: twin.id, reason: "exact_content_hash" });
    expect(await api.get(id)).toMatchObject({ content, weight: 0.5 });
  });

  test("of another author, or of a deleted memory, is no duplicate", async () => {
    const [theirs, gone] = [await api.write({ agent_id: "bob" }), await api.write()];
    await api.remove(gone.id);
    const { id } = await api.write();
    for (const { content } of [theirs, gone]) expect((await patch(id, { content })).content).toBe(content);
  });
});

describe("the fields of a patch", () => {
  test("change, all others stay, and the reply is the stored memory with its usage", async () => {
    const {
      id,
      usage,
      version: _version,
      ...before
    } = await api.write({ weight: 0.2, predicate: "owns", metadata: { a: 1 } });
    const { version: _changed, ...changed } = await patch(id, { weight: 0.8, title: "A title" });
    // The title is no longer Cairn's.
    const system_metadata = { ...before.system_metadata, inferred: ["memory_type", "status"] };
    expect(changed).toEqual({ id, usage, ...before, system_metadata, weight: 0.8, title: "A title" });
    expect(await api.get(id)).toMatchObject({ weight: 0.8, title: "A title", predicate: "owns" });
  });

  test("that may be cleared are cleared by null", async () => {
    const set = {
      source_uri: "https://example.org/x",
      subject_entity_id: crypto.randomUUID(),
      predicate: "owns",
      object_value: "a boat",
      ts_valid_start: "2030-01-01T00:00:00.000Z",
      ts_valid_end: "2031-01-01T00:00:00.000Z",
      expires_at: "2090-01-01T00:00:00.000Z",
    };
    const { id } = await api.write(set);
    await patch(id, { title: "A title" });
    const nulls = Object.fromEntries([...Object.keys(set), "title"].map((name) => [name, null]));
    expect(await patch(id, nulls)).toMatchObject(nulls);
    expect(await api.get(id)).toMatchObject(nulls);
  });

  test.each(["weight", "memory_type", "status", "visibility", "content", "entity_links"])(
    "that every memory has, such as %s, are not cleared by null",
    async (name) => {
      const { id } = await api.write();
      expect(refusalOf(await refused(id, { [name]: null }))).toEqual([422, "INVALID_ARGUMENTS"]);
    },
  );

  test("are found by a title that was set, and not by one that was cleared", async () => {
    const { id } = await api.write();
    const byWord = async () => {
      const { diagnostic } = await api.search("zanzibar", { diagnostic: true });
      return diagnostic?.all_candidates.filter(({ fts_match }) => fts_match).map((found) => found.id);
    };
    await patch(id, { title: "Zanzibar" });
    expect(await byWord()).toEqual([id]);
    await patch(id, { title: null });
    expect(await byWord()).toEqual([]);
  });

  test("are none at all in an empty body: 400", async () => {
    const { id } = await api.write();
    expect(refusalOf(await refused(id, {}))).toEqual([400, "BAD_REQUEST"]);
    expect(refusalOf(await refused(id, { colour: "red" }))).toEqual([400, "BAD_REQUEST"]);
  });

  test("the last write of each wins, whatever else the other set", async () => {
    const { id } = await api.write();
    await Promise.all([patch(id, { title: "one", weight: 0.1 }), patch(id, { title: "two" })]);
    await patch(id, { title: "three" });
    expect(await api.get(id)).toMatchObject({ title: "three", weight: 0.1 });
  });

  test.each(["outcome", "rule", "insight"])("refuse the reserved type %s with 422", async (memory_type) => {
    const { id } = await api.write();
    expect(refusalOf(await refused(id, { memory_type }))).toEqual([422, "INVALID_ARGUMENTS"]);
    expect((await api.get(id)).memory_type).toBe("fact");
  });

  test.each(["semantic", "intention", "commitment", "cancellation"])(
    "store the deprecated type %s as fact",
    async (memory_type) => {
      const { id } = await api.write({ memory_type: "task" });
      expect((await patch(id, { memory_type })).memory_type).toBe("fact");
    },
  );

  test("never take the status deleted: that is what DELETE is for", async () => {
    const { id } = await api.write();
    expect(refusalOf(await refused(id, { status: "deleted" }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("only add entity links; one that is there keeps its role", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const { id } = await api.write({ entity_links: [{ entity_id: first, role: "subject" }] });
    const sent = [
      { entity_id: first, role: "object" },
      { entity_id: second, role: "object" },
    ];
    const both = [{ entity_id: first, role: "subject" }, sent[1]];
    expect<unknown>((await patch(id, { entity_links: sent })).entity_links).toEqual(both);
    expect<unknown>((await patch(id, { entity_links: [] })).entity_links).toEqual(both);
  });

  test("that move it between readers are obeyed by list and search at once", async () => {
    const { id, content } = await api.write({ agent_id: "ada" });
    await patch(id, { visibility: "scope_agent" });
    expect(idsOf(await api.list({ limit: 500 }))).not.toContain(id);
    expect(idsOf(await api.search(content, { caller_agent_id: "bob", top_k: 20 }))).not.toContain(id);
    expect(idsOf(await api.search(content, { caller_agent_id: "ada" }))[0]).toBe(id);
    await patch(id, { visibility: "scope_org" }, { agent_id: "ada" });
    expect(idsOf(await api.search(content))[0]).toBe(id);
  });
});

test("a patch that names nobody's memory is 404, in one set of words", async () => {
  const { id } = await api.write();
  await api.remove(id);
  const hidden = await api.write({ agent_id: "ada", visibility: "scope_agent" });
  const replies = [
    await refused(crypto.randomUUID(), { weight: 1 }),
    await refused(id, { weight: 1 }),
    await refused(hidden.id, { weight: 1 }, { agent_id: "bob" }),
  ];
  for (const reply of replies) {
    expect(refusalOf(reply)).toEqual([404, "NOT_FOUND"]);
    expect(reply.body).toEqual(replies[0]?.body ?? reply.body);
  }
  const body = { weight: 1 };
  const foreign = await client.refused("PATCH", at(hidden.id), { body, query: { tenant_id: "other" } });
  expect(refusalOf(foreign)).toEqual([403, "TENANT_MISMATCH"]);
  expect(refusalOf(await client.refused("PATCH", at("7"), { body, query: query() }))).toEqual([
    422,
    "INVALID_ARGUMENTS",
  ]);
});
