import { afterAll, expect, test } from "bun:test";
import { entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// The model itself: what two spellings of one name have in common, and two names of a kind have not.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const memories = memoriesApi(app.client);
const entities = entitiesApi(app.client);

test("another spelling of a known name leads to it, and is remembered; another thing of its kind does not", async () => {
  await memories.write({ content: "We rent the Riverside Theater and the Defense Ministry." });
  await memories.write({ content: "We saw Maria Lopez at Gateway Europe, Phase II." });
  await app.settle();
  await memories.write({ content: "They own the Riverside Theatre and the Defence Ministry." });
  await memories.write({ content: "They saw Maria Elena Lopez at Gateway Asia, Phase III." });
  await memories.write({ content: "They sold the Lakeside Theater to Maria Gomez." });
  await app.settle();
  const counts = await entities.counts();
  expect(counts).toEqual({
    "Riverside Theater": 2,
    "Defense Ministry": 2,
    "Maria Lopez": 2,
    "Gateway Europe": 1,
    "Gateway Asia": 1,
    "Phase II": 1,
    "Phase III": 1,
    "Lakeside Theater": 1,
    "Maria Gomez": 1,
  });
  const [theater] = await entities.list({ search: "theatre" });
  expect((await entities.get(theater?.id ?? "")).aliases).toEqual(["Riverside Theatre"]);
});
