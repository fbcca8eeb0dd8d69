import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { openEmbedder } from "../../src/ai/open.ts";

// Usage: bun scripts/models/measure-center.ts --model e5-small-v2 --texts rows.txt
//
// Prints the mean vector of many passages, one text a line, for "center" in the model's manifest: what has to be
// subtracted before a vector is reduced to its signs. Any broad sample gives nearly the same direction.

const DIGITS = 4;

const { values } = parseArgs({
  options: { model: { type: "string" }, texts: { type: "string" } },
});
if (!values.texts) throw new Error("Name a file of texts with --texts.");

const texts = (await Bun.file(values.texts).text()).split("\n").filter((line) => line.trim() !== "");
const embedder = openEmbedder("onnx", { cacheDir: tmpdir(), model: values.model });
const vectors = await embedder.embed(texts, { role: "passage", priority: "background" });
await embedder.close();

const center = new Float64Array(embedder.dimensions);
for (const vector of vectors)
  for (const [index, value] of vector.entries()) center[index] = (center[index] ?? 0) + value;
const means = Array.from(center, (sum) => Number((sum / vectors.length).toFixed(DIGITS)));
console.log(JSON.stringify(means));
