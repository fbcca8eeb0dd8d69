import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { ErrorCode } from "../../../src/core/kernel/errors.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { ReembedState } from "../../../src/core/schema/keeping/reembed.ts";
import type { Client } from "../../support/api/client.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";
import { heldEmbedder, turnedEmbedder } from "../../support/other-embedder.ts";

const PATH = "/api/v1/admin/reembed";
const FIRST = "hash-v1";
const OTHER = "turned-v1";
const THIRD = "turned-v2";
const root = temporaryFolder();
afterAll(root.remove);

let folders = 0;
async function openWith(folder = join(root.path, `${++folders}`)) {
  const held = heldEmbedder(turnedEmbedder(OTHER));
  const { app, client, settle } = await openApp({
    folder,
    embedder: hashEmbedder(),
    otherEmbedders: [held.embedder, turnedEmbedder(THIRD, 33)],
  });
  return { app, client, settle, held, folder, api: memoriesApi(client), ...ordersOf(client) };
}

function ordersOf(client: Client) {
  const state = () => client.ok(ReembedState, "GET", PATH);
  return {
    state,
    order: (action: string, model?: string) => client.ok(ReembedState, "POST", PATH, { body: { action, model } }),
    refused: async (body: object): Promise<[number, ErrorCode]> => {
      const reply = await client.refused("POST", PATH, { body });
      return [reply.status, reply.body.error.code];
    },
    /** Waits until nothing is done any more. */
    async rest() {
      for (;;) {
        const now = await state();
        if (now.other?.state !== "building" && now.other?.state !== "dropping") return now;
        await Bun.sleep(2);
      }
    },
    async sound() {
      const { checks } = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    },
  };
}

const TEXTS = Array.from({ length: 70 }, (_, i) => `The harbour log has ${i} entries about the ferry ${i * 7}.`);

describe("another model", () => {
  test("reads everything and then answers, found as before all the time, and the old one is kept", async () => {
    const { app, client, settle, held, folder, api, state, order, rest, sound } = await openWith();
    const written = [];
    for (const content of TEXTS) written.push(await api.write({ content }));
    const document = {
      tenant_id: "default",
      collection: "runbooks",
      doc_id: "ferry",
      data: { summary: "Night ferry" },
    };
    expect((await client.call("POST", "/api/v1/documents", { body: document })).status).toBeLessThan(300);
    await settle();
    const answers = async () => {
      const replies = [];
      for (const query of TEXTS.slice(0, 10)) replies.push((await api.search(query)).items.map(({ id }) => id));
      return replies;
    };
    const before = await answers();
    expect(await state()).toMatchObject({ model: FIRST, models: [FIRST, OTHER, THIRD], other: null });

    held.hold();
    expect(await order("begin", OTHER)).toMatchObject({
      model: FIRST,
      other: { model: OTHER, state: "building", done: 0 },
    });
    expect(await answers()).toEqual(before);
    await sound();
    // Written, changed and deleted meanwhile.
    const late = await api.write({ content: "The lighthouse keeper was born in Oslo." });
    await client.call("PATCH", `/api/v1/memories/${written[3]?.id}`, {
      body: { tenant_id: "default", content: "The pilot boat is painted orange." },
    });
    await client.call("DELETE", `/api/v1/memories/${written[69]?.id}`, { query: { tenant_id: "default" } });
    held.release();
    const after = await rest();
    expect(after).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous", error: null } });
    expect((await api.search("Where was the keeper of the lighthouse born?")).items[0]?.id).toBe(late.id);
    expect((await api.search("pilot boat orange")).items[0]?.id).toBe(written[3]?.id);
    expect(app.services.embedder.id).toBe(OTHER);
    await settle();
    await sound();
    const db = new Database(join(folder, "cairn.db"), { readonly: true });
    const count = (sql: string) => db.query<{ n: number }, []>(`select count(*) as n from ${sql}`).get()?.n;
    expect(count(`memories where deleted_at is null and embedded_by <> '${OTHER}'`)).toBe(0);
    expect(count("b_memory_vectors")).toBe(70);
    expect(count("b_document_vectors")).toBe(1);
    expect(count("jobs where kind = 'embed_memories'")).toBe(0);
    db.close();
    await app.stop();

    // A start without a word takes the model that the folder names.
    const again = await openWith(folder);
    expect(await again.state()).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous" } });
    expect((await again.api.search("pilot boat orange")).items[0]?.id).toBe(written[3]?.id);
    await again.app.stop();
  });

  test("is taken back: what was written since is read by the old one first", async () => {
    const { app, api, order, rest, sound, settle } = await openWith();
    for (const content of TEXTS.slice(0, 20)) await api.write({ content });
    await order("begin", OTHER);
    await rest();
    const since = await api.write({ content: "The lighthouse keeper was born in Oslo." });
    await order("rollback");
    expect(await rest()).toMatchObject({ model: FIRST, other: { model: OTHER, state: "previous" } });
    expect((await api.search("Where was the keeper of the lighthouse born?")).items[0]?.id).toBe(since.id);
    await settle();
    await sound();
    await order("drop_old");
    expect(await rest()).toMatchObject({ model: FIRST, other: null });
    await sound();
    // And once more, to a third.
    await order("begin", THIRD);
    expect(await rest()).toMatchObject({ model: THIRD, other: { model: FIRST } });
    await sound();
    await app.stop();
  });

  test("is paused, stays so over a restart, goes on where it was, and is given up", async () => {
    const { app, api, held, order, state, folder } = await openWith();
    for (const content of TEXTS) await api.write({ content });
    held.hold();
    await order("begin", OTHER);
    expect(await order("pause")).toMatchObject({ model: FIRST, other: { state: "paused" } });
    await app.stop();
    const again = await openWith(folder);
    await again.app.services.reembedding.start();
    expect(await again.state()).toMatchObject({ model: FIRST, other: { model: OTHER, state: "paused" } });
    await again.order("resume");
    expect(await again.rest()).toMatchObject({ model: OTHER });
    await again.order("rollback");
    await again.rest();
    await again.order("drop_old");
    await again.rest();
    again.held.hold();
    await again.order("begin", OTHER);
    await again.order("cancel");
    expect(await again.rest()).toMatchObject({ model: FIRST, other: null });
    await again.sound();
    expect(state).toBeFunction();
    await again.app.stop();
  });

  test("goes on at the next start where a process ended", async () => {
    const { app, api, held, order, folder } = await openWith();
    for (const content of TEXTS) await api.write({ content });
    held.hold();
    await order("begin", OTHER);
    await app.stop();
    const again = await openWith(folder);
    expect(await again.state()).toMatchObject({ model: FIRST, other: { model: OTHER, state: "building" } });
    await again.app.services.reembedding.start();
    expect(await again.rest()).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous" } });
    await again.sound();
    await again.app.stop();
  });

  test("knows nothing of a memory that was erased", async () => {
    const { app, client, api, held, order, rest, folder } = await openWith();
    const { id } = await api.write({ content: "The safe opens with 4711." });
    await api.write({ content: "The ferry is late." });
    await order("begin", OTHER);
    await rest();
    const erased = await client.call("DELETE", `/api/v1/memories/${id}`, {
      query: { tenant_id: "default", erase: true },
    });
    expect(erased.status).toBeLessThan(300);
    const db = new Database(join(folder, "cairn.db"), { readonly: true });
    const seqs = (table: string) => db.query<{ seq: number }, []>(`select seq from ${table}`).all().length;
    expect([seqs("memory_vectors"), seqs("b_memory_vectors")]).toEqual([1, 1]);
    db.close();
    expect(held).toBeDefined();
    await app.stop();
  });

  test("an order that makes no sense is refused, and changes nothing", async () => {
    const { app, api, held, order, state, refused, rest } = await openWith();
    await api.write({ content: "The ferry is late." });
    expect(await refused({ action: "begin" })).toEqual([400, "BAD_REQUEST"]);
    expect(await refused({ action: "pause", model: OTHER })).toEqual([400, "BAD_REQUEST"]);
    expect(await refused({ model: FIRST })).toEqual([409, "CONFLICT"]);
    for (const action of ["pause", "resume", "rollback", "cancel", "drop_old"])
      expect(await refused({ action })).toEqual([409, "CONFLICT"]);
    expect(await refused({ action: "stop" })).toEqual([422, "INVALID_ARGUMENTS"]);
    expect((await state()).other).toBeNull();
    held.hold();
    await order("begin", OTHER);
    expect(await refused({ model: OTHER })).toEqual([409, "CONFLICT"]);
    expect(await refused({ model: THIRD })).toEqual([409, "CONFLICT"]);
    expect(await refused({ action: "rollback" })).toEqual([409, "CONFLICT"]);
    held.release();
    await rest();
    expect(await refused({ model: THIRD })).toEqual([409, "CONFLICT"]);
    await app.stop();
  });
});
