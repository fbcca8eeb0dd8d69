import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

type Fields = Readonly<Record<string, unknown>>;
const patch = (id: string, body: Fields): Promise<Memory> =>
  app.client.ok(Memory, "PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body });

/** A Wednesday. */
const reference_datetime = "2026-03-18T12:00:00Z";
let written = 0;
/** A sentence that tells a type, a status, a weight and an end, and that no other test writes. */
const aTask = (): string => `Remember to send invoice ${++written} to Nordbank by Friday.`;
const INFERRED = {
  memory_type: "task",
  status: "pending",
  weight: 0.7,
  ts_valid_start: null,
  ts_valid_end: "2026-03-20T23:59:59.999Z",
};
const CHOSEN = {
  memory_type: "fact",
  status: "confirmed",
  weight: 0.2,
  ts_valid_start: "2020-01-01T00:00:00.000Z",
  ts_valid_end: "2021-01-01T00:00:00.000Z",
};

describe("what a write leaves open is read from its text", () => {
  test("by a single write, and told", async () => {
    const content = aTask();
    const memory = await api.write({ content, reference_datetime });
    expect(memory).toMatchObject({ ...INFERRED, title: content.slice(0, -1), is_inferred: false, metadata: null });
    expect(memory.system_metadata).toEqual({
      contains_pii: false,
      tags: ["billing"],
      inferred: ["title", "memory_type", "weight", "status", "ts_valid_end"],
      reference_datetime: "2026-03-18T12:00:00.000Z",
    });
    expect(await api.get(memory.id)).toMatchObject({ ...INFERRED, title: content.slice(0, -1) });
  });

  test("by a bulk write", async () => {
    const content = aTask();
    await api.bulk([{ content, reference_datetime, run_id: "bulk-inferred" }]);
    const [row] = (await api.list({ run_id: "bulk-inferred" })).items;
    expect(row).toMatchObject({ ...INFERRED, title: content.slice(0, -1) });
  });

  test("by a dry run, which stores nothing", async () => {
    expect(await api.write({ content: aTask(), reference_datetime, persist: false })).toMatchObject(INFERRED);
  });

  test("counted from now where no moment of writing is given", async () => {
    const content = `Ticket ${++written} was closed yesterday.`;
    const { ts_valid_start, created_at } = await api.write({ content });
    const yesterday = new Date(Date.parse(created_at) - 86_400_000).toISOString().slice(0, 10);
    expect(ts_valid_start).toBe(`${yesterday}T00:00:00.000Z`);
  });
});

describe("what a caller sets always wins", () => {
  test.each(Object.entries(CHOSEN))("in a single write: %s", async (field, value) => {
    const memory = await api.write({ content: aTask(), reference_datetime, [field]: value });
    expect(memory).toMatchObject({ [field]: value });
    expect(memory.system_metadata?.inferred).not.toContain(field);
  });

  test("in a bulk write: all of it", async () => {
    await api.bulk([{ content: aTask(), reference_datetime, run_id: "bulk-chosen", ...CHOSEN }]);
    const [row] = (await api.list({ run_id: "bulk-chosen" })).items;
    expect(row).toMatchObject(CHOSEN);
    expect(row?.system_metadata?.inferred).toEqual(["title"]);
  });

  test("over an inferred end that would lie before its start", async () => {
    const ts_valid_start = "2030-01-01T00:00:00.000Z";
    const memory = await api.write({ content: aTask(), reference_datetime, ts_valid_start });
    expect(memory).toMatchObject({ ts_valid_start, ts_valid_end: null });
  });

  test("of its own metadata: tags and marks of Cairn lie beside it", async () => {
    const metadata = { tags: ["mine"], contains_pii: "mine", title: "mine" };
    const content = `Invoice ${++written} goes to anna@example.org.`;
    const memory = await api.write({ content, metadata });
    expect(memory.metadata).toEqual(metadata);
    expect(memory.system_metadata).toMatchObject({ contains_pii: true, pii_types: ["email"], tags: ["billing"] });
  });
});

describe("a patch of the content", () => {
  test("infers anew what was inferred", async () => {
    const { id } = await api.write({ content: aTask(), reference_datetime });
    const content = `We decided on 3 May 2024 to drop supplier ${++written}.`;
    expect(await patch(id, { content })).toMatchObject({
      content,
      title: content.slice(0, -1),
      memory_type: "decision",
      status: "active",
      weight: 0.85,
      ts_valid_start: "2024-05-03T00:00:00.000Z",
      ts_valid_end: null,
    });
  });

  test("leaves alone what the caller had set when writing", async () => {
    const { id } = await api.write({ content: aTask(), reference_datetime, ...CHOSEN });
    const content = `We decided on 3 May 2024 to drop supplier ${++written}.`;
    expect(await patch(id, { content })).toMatchObject({ content, ...CHOSEN });
  });

  test("and what the caller had set since", async () => {
    const { id } = await api.write({ content: aTask(), reference_datetime });
    const set = { ...CHOSEN, title: "My own title" };
    expect((await patch(id, set)).system_metadata).not.toHaveProperty("inferred");
    const content = `We decided on 3 May 2024 to drop supplier ${++written}.`;
    expect(await patch(id, { content })).toMatchObject({ content, ...set });
  });

  test("and what the same patch sets, null included", async () => {
    const { id } = await api.write({ content: aTask(), reference_datetime });
    const content = `We decided on 3 May 2024 to drop supplier ${++written}.`;
    const set = { title: "Mine", memory_type: "episode", ts_valid_start: null };
    expect(await patch(id, { content, ...set })).toMatchObject({ ...set, weight: 0.65 });
  });

  test("tells anew of personal data, and keeps what else Cairn told", async () => {
    const { id } = await api.write({ content: `Call +49 30 9018${100 + ++written} about the printer.`, colour: "red" });
    expect((await api.get(id)).system_metadata).toMatchObject({ contains_pii: true, pii_types: ["phone"] });
    const { system_metadata } = await patch(id, { content: aStatement() });
    expect(system_metadata).toMatchObject({ contains_pii: false, ignored_fields: ["colour"] });
    expect(system_metadata).not.toHaveProperty("pii_types");
  });

  test("does not bring back a row that was withdrawn", async () => {
    const { id } = await api.write({ content: aTask(), reference_datetime });
    await app.client.call("PATCH", `${MEMORIES}/${id}/status`, {
      query: { tenant_id: TENANT },
      body: { status: "cancelled" },
    });
    expect((await patch(id, { content: aTask() })).status).toBe("cancelled");
  });
});

test("a patch without a new content infers nothing", async () => {
  const memory = await api.write({ content: aTask(), reference_datetime });
  const { source_uri: _source, version: _version, ...before } = memory;
  const { source_uri: _changed, version: _other, ...after } = await patch(memory.id, { source_uri: "file:///x" });
  // Its entities are linked when their job comes round.
  expect(after).toEqual({ ...before, usage: after.usage, entity_links: after.entity_links });
});

test("an inferred title adds no row to a search that its words would not find", async () => {
  const content = `Platypus ${++written} swims. ${"It swims on. ".repeat(20)}`;
  const { title } = await api.write({ content });
  expect(title).toStartWith("Platypus");
  expect(contentsOf(await api.search("platypus"))[0]).toStartWith("Platypus");
});
