import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { ReembedRequest } from "../../src/core/schema/keeping/reembed.ts";
import { ReembedState } from "../../src/core/schema/keeping/reembed.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { temporaryFolder } from "../support/app.ts";
import { openApp } from "../support/in-process.ts";
import { turnedEmbedder } from "../support/other-embedder.ts";

const root = temporaryFolder();
afterAll(root.remove);
const [FIRST, OTHER] = ["hash-v1", "turned-v1"] as const;
const PATH = "/api/v1/admin/reembed";

async function openWith(name: string) {
  const folder = join(root.path, name);
  const { app, client, settle } = await openApp({
    folder,
    embedder: hashEmbedder(),
    otherEmbedders: [turnedEmbedder(OTHER)],
  });
  const order = async (body: ReembedRequest) => {
    let state = await client.ok(ReembedState, "POST", PATH, { body });
    while (state.other?.state === "building") {
      await Bun.sleep(2);
      state = await client.ok(ReembedState, "GET", PATH);
    }
    return state;
  };
  return { app, client, folder, order, settle, api: memoriesApi(client) };
}

// The codes lie in tables of sqlite-vec.
const withExtension = process.env.VECTORS === "plain" ? test.skip : test;

withExtension.each([
  [
    "are of another text",
    "update memory_vectors set vector = (select v.vector from memory_vectors v where v.seq = 41)",
    "reads",
  ],
  [
    "have entries that are not theirs",
    `delete from memory_codes;
      insert into memory_codes (space, seq, author, audience, kind, code)
      select 'hash-v1/default', seq, author, audience, 0, vec_bit(zeroblob(96)) from memories`,
    "not found by their own vectors",
  ],
  ["lack entries", "delete from memory_codes where seq in (3, 4, 5)", "do not fit its vectors"],
])(
  "vectors that %s are told when they are checked, and the present model goes on to answer",
  async (name, sql, message) => {
    const { app, folder, order, settle, api } = await openWith(name);
    await api.bulk(Array.from({ length: 25 }, (_, i) => ({ content: `Row ${i} about the ferry ${i * 7}.` })));
    await api.bulk(Array.from({ length: 25 }, (_, i) => ({ content: `Line ${i} about the crew ${i * 11}.` })));
    await settle();
    expect(await order({ model: OTHER })).toMatchObject({ model: OTHER, other: { state: "previous" } });
    // What is kept of the first, and is read again only where it is missing.
    const db = new Database(join(folder, "cairn.db"));
    db.loadExtension(getLoadablePath());
    db.exec(sql);
    db.close();
    const end = await order({ action: "rollback" });
    expect(end).toMatchObject({ model: OTHER, other: { model: FIRST, state: "failed" } });
    expect(end.other?.error).toContain(message);
    expect((await api.search("Row 7 about the ferry 49.")).items[0]?.content).toBe("Row 7 about the ferry 49.");
    await app.stop();
  },
);

test("vectors that a model made in another way than it reads now are told by both names, and end as they are told to", async () => {
  const { app, client, folder, order, settle, api } = await openWith("former");
  await api.bulk([{ content: "Row 7 about the ferry 49." }]);
  await settle();
  expect(await order({ model: OTHER })).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous" } });
  const db = new Database(join(folder, "cairn.db"));
  const former = `${FIRST}+minilm-notes-v1+turns`;
  db.query("update generations set embedder_id = ? where model = ?").run(former, FIRST);
  db.close();
  const { body } = await client.refused("POST", PATH, { body: { action: "rollback" } });
  for (const part of [former, `(${FIRST})`, "--drop-old", `--model ${FIRST}`])
    expect(body.error.message).toContain(part);
  expect(await order({ action: "drop_old" })).toMatchObject({ model: OTHER });
  await app.stop();
});
