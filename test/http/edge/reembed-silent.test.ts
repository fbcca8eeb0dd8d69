import { afterAll, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { ReembedState } from "../../../src/core/schema/keeping/reembed.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { contentsOf, memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { turnedEmbedder, unreadingEmbedder } from "../../support/other-embedder.ts";

const PATH = "/api/v1/admin/reembed";
const [FIRST, OTHER] = ["hash-v1", "turned-v1"] as const;
const FERRY = "The night ferry leaves from the northern pier.";
const { app, client, settle } = await openApp({
  embedder: hashEmbedder(),
  otherEmbedders: [unreadingEmbedder(turnedEmbedder(OTHER))],
});
afterAll(() => app.stop());
const api = memoriesApi(client);

const order = async (body: object): Promise<ReembedState> => {
  let state = await client.ok(ReembedState, "POST", PATH, { body });
  while (state.other?.state === "building" || state.other?.state === "dropping") {
    await Bun.sleep(2);
    state = await client.ok(ReembedState, "GET", PATH);
  }
  return state;
};
const expectSound = async () => {
  const { checks } = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};

test("a model that cannot read most texts takes over, is gone back from, and answers again", async () => {
  // More than a check looks at, and than a search for one of them has room for.
  const silent = Array.from({ length: 60 }, (_, i) => ({ content: `ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ ${i}` }));
  await api.bulk(silent);
  await api.write({ content: FERRY });
  await documentsApi(client).put("notes", "greeting", { summary: "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ" });
  await settle();
  const all = silent.length + 2;
  expect(await order({ model: OTHER })).toMatchObject({ model: OTHER, other: { model: FIRST, state: "previous" } });
  await settle();
  await expectSound();
  expect(contentsOf(await api.search("which pier does the ferry leave from at night?"))).toEqual([FERRY]);
  expect((await api.search("ⵜⴰⵎⴰⵣⵉⵖⵜ 7")).warnings ?? []).toEqual([
    expect.objectContaining({
      code: "semantic_search_unavailable",
      message: "Found by keyword only: the embedding model cannot read the question.",
    }),
  ]);
  const back = await order({ action: "rollback" });
  // What the other one read and made nothing of counts as read.
  expect(back).toMatchObject({ model: FIRST, other: { model: OTHER, state: "previous", done: all, total: all } });
  await expectSound();
  expect(await order({ action: "rollback" })).toMatchObject({ model: OTHER, other: { done: all, total: all } });
  await expectSound();
});
