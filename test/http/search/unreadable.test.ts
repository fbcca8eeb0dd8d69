import { afterAll, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// Of signs that no piece of the model's vocabulary covers: what it makes of them tells nothing.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = memoriesApi(app.client);
const HANG_GUARD_MS = 60_000;

const TIFINAGH = "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ";
const RUNES = "ᚠᚢᚦᚨᚱᚲ ᛊᛏᛖᛁᚾ ᚺᚨᛚᛚᛖ";
const DATED = "ⵄⵍⵉ: 10:30 - 11:30, 2024.";
const ENGLISH = "Ask Ines before anything is rolled out on a Friday.";

const contentsOf = async (query: string): Promise<string[]> =>
  (await api.search(query)).items.map(({ content }) => content);

test(
  "a text that the model cannot read is near to nothing, found by its words, and waits for no vector",
  async () => {
    const ids: string[] = [];
    for (const content of [TIFINAGH, RUNES, DATED, ENGLISH]) ids.push((await api.write({ content })).id);
    await app.settle();
    expect(await contentsOf("ⵜⴰⵎⴰⵣⵉⵖⵜ")).toEqual([TIFINAGH]);
    expect(await contentsOf("who must agree to a deployment?")).toEqual([ENGLISH]);
    expect(await contentsOf("...")).toEqual([]);
    for (const id of ids) expect((await api.get(id)).metadata?.embedding_pending).toBeUndefined();
    const { warnings } = await api.search("who must agree to a deployment?");
    expect((warnings ?? []).map(({ code }) => code)).not.toContain("embedding_pending");
  },
  HANG_GUARD_MS,
);

test(
  "a question that the model cannot read is answered by words, and says so",
  async () => {
    const { items, warnings } = await api.search("ᛊᛏᛖᛁᚾ ⴰⴽⴽⵯ");
    expect(items.map(({ content }) => content)).toEqual([RUNES]);
    expect((warnings ?? []).map(({ code }) => code)).toEqual(["semantic_search_unavailable"]);
  },
  HANG_GUARD_MS,
);

test(
  "what the model can read of a text counts, though some of it is unknown",
  async () => {
    const mixed = "The rune stone ᚠᚢᚦᚨᚱᚲ stands behind the boathouse of the sailing club.";
    await api.write({ content: mixed });
    await app.settle();
    expect((await contentsOf("where is the old carved rock of the yachtsmen?"))[0]).toBe(mixed);
  },
  HANG_GUARD_MS,
);
