import { afterEach, beforeEach, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { ReembedState } from "../../../src/core/schema/keeping/reembed.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { aBatch, anEntry, aRow } from "../../support/builders.ts";
import { turnedEmbedder } from "../../support/other-embedder.ts";
import type { PostgresApp } from "../../support/postgres/app.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";

const [FIRST, OTHER] = ["hash-v1", "turned-v1"] as const;
const PATH = "/api/v1/admin/reembed";
const TEXTS = Array.from({ length: 40 }, (_, i) => ({
  content: `The harbour log has ${i} entries about ferry ${i * 7}.`,
}));

let opened: PostgresApp;
beforeEach(async () => {
  opened = await openPostgresApp({ embedder: hashEmbedder(), otherEmbedders: [turnedEmbedder(OTHER)] });
  await memoriesApi(opened.client).bulk(TEXTS);
  await opened.client.call("POST", "/api/v1/documents", {
    body: { collection: "runbooks", doc_id: "ferry", data: { summary: "Night ferry" } },
  });
  await opened.settle();
});
afterEach(() => opened.app.stop());

const order = async (action: string, model?: string) => {
  let state = await opened.client.ok(ReembedState, "POST", PATH, { body: { action, model } });
  while (state.other?.state === "building" || state.other?.state === "dropping") {
    await Bun.sleep(5);
    state = await opened.client.ok(ReembedState, "GET", PATH);
  }
  return state;
};
const found = async (query: string) => (await memoriesApi(opened.client).search(query)).items[0]?.content;
const sound = async () => {
  const { checks } = await opened.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};
const count = async (what: string) =>
  (await opened.rows<{ n: number }>(`select count(*)::integer as n from ${what}`))[0]?.n;

test("another model reads all rows and then answers; it is taken back, and the other taken out", async () => {
  expect(await order("begin", OTHER)).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous" } });
  expect(await count(`memories where embedded_by = '${OTHER}'`)).toBe(TEXTS.length);
  expect(await count("b_memory_codes")).toBe(TEXTS.length);
  expect(await count(`documents where embedded_by = '${OTHER}'`)).toBe(1);
  const late = await memoriesApi(opened.client).write({ content: "The lighthouse keeper was born in Oslo." });
  await opened.settle();
  expect(await found("Where was the keeper of the lighthouse born?")).toBe("The lighthouse keeper was born in Oslo.");
  expect(await found("ferry 49")).toBe(TEXTS[7]?.content);
  await sound();

  expect(await order("rollback")).toMatchObject({ model: FIRST, other: { model: OTHER, state: "previous" } });
  expect(await count(`memories where id = '${late.id}' and embedded_by = '${FIRST}'`)).toBe(1);
  expect(await found("Where was the keeper of the lighthouse born?")).toBe("The lighthouse keeper was born in Oslo.");
  expect(await order("drop_old")).toMatchObject({ model: FIRST, other: null });
  expect(await count("b_memory_vectors")).toBe(0);
  await sound();
});

test("a model reads the rows of two tenants that an import gave the same ids", async () => {
  const [row] = (await memoriesApi(opened.client).list()).items;
  const twin = aRow({ id: row?.id ?? "", tenant_id: "another", content: "The other tenant's crane is green." });
  await opened.app.services.storage.memories.insert(aBatch([anEntry(twin)]));
  await opened.settle();
  expect(await order("begin", OTHER)).toMatchObject({ model: OTHER });
  expect(await count(`memories where id = '${twin.id}' and embedded_by = '${OTHER}'`)).toBe(2);
});

test("what is still written for the model of before is read by the one that answers", async () => {
  const before = opened.app.services.storage;
  await order("begin", OTHER);
  expect(opened.app.services.storage).not.toBe(before);
  const row = aRow({ content: "The pilot boat is painted orange.", embedded_by: FIRST });
  const vector = (await hashEmbedder().embed([row.content], { role: "passage", priority: "interactive" }))[0];
  const entry = { ...anEntry(row), vectors: vector ? { own: vector, context: null } : null };
  await before.memories.insert(aBatch([entry]));
  expect(await count(`memories where id = '${row.id}' and embedded_by is null`)).toBe(1);
  await opened.settle();
  expect(await count(`memories where id = '${row.id}' and embedded_by = '${OTHER}'`)).toBe(1);
});

test("a change of the model is refused while another process uses the database", async () => {
  const another = await opened.openAnother();
  await another.listen("cairn_test", () => {});
  const { status, body } = await opened.client.refused("POST", PATH, { body: { action: "begin", model: OTHER } });
  expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
  expect(body.error.message).toContain("Another Cairn process is connected");
  await another.close();
  expect(await order("begin", OTHER)).toMatchObject({ model: OTHER });
});
