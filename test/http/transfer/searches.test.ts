import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import { WORLDS } from "../../relevance/sets.ts";
import { startApp } from "../../support/app.ts";

setDefaultTimeout(240_000);

const Lines = z.array(z.looseObject({ record: z.string() }));
const Found = z.object({
  items: z.array(z.object({ id: z.string(), content: z.string(), status: z.string(), score: z.number().nullable() })),
});
const ROWS = 90;
const QUESTIONS = 50;

test("with the real models, fifty searches answer alike where an export was taken in", async () => {
  const [there, here] = [await startApp({ embedder: "onnx" }), await startApp({ embedder: "onnx" })];
  const world = WORLDS.find(({ name }) => name === "household") ?? expect.unreachable();
  for (const { text, run, at } of world.memories.slice(0, ROWS)) {
    await there.client.ok(z.unknown(), "POST", "/api/v1/memories", {
      body: { content: text, run_id: run, reference_datetime: at, agent_id: "ada" },
    });
  }
  await there.settle();
  const records = (await there.client.ok(Lines, "GET", "/api/v1/export")).slice(1, -1);
  for (let i = 0; i < records.length; i += 100) {
    const body = { records: records.slice(i, i + 100) };
    const { results } = await here.client.ok(ImportResult, "POST", "/api/v1/import", { body });
    expect(results.filter(({ outcome }) => outcome !== "created")).toEqual([]);
  }
  await here.settle();
  const questions = world.queries.slice(0, QUESTIONS);
  expect(questions).toHaveLength(QUESTIONS);
  for (const { query } of questions) {
    const search = ({ client }: typeof there) =>
      client.ok(Found, "POST", "/api/v1/search", { body: { query, top_k: 10, agent_id: "ada" } });
    const shown = ({ items }: z.infer<typeof Found>) =>
      items.map(({ id, content, status }) => ({ id, content, status }));
    expect(shown(await search(here))).toEqual(shown(await search(there)));
  }
  const counts = ({ client }: typeof there) =>
    client.ok(z.unknown(), "GET", "/api/v1/memories/stats", { query: { scope: "all" } });
  expect(await counts(here)).toEqual(await counts(there));
  await there.stop();
  await here.stop();
});
