import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { openEmbedder } from "../../src/ai/open.ts";

// Usage: bun scripts/models/measure-center.ts --model e5-small-v2 --texts rows.txt --out models/e5-small-v2/center.json
//
// Writes the mean vector of many passages, one text a line: what has to be subtracted before a vector is reduced to
// its signs. The shipped one comes from 3,000 generated sentences; any broad sample gives nearly the same direction.

const DIGITS = 5;

const { values } = parseArgs({
  options: { model: { type: "string" }, texts: { type: "string" }, out: { type: "string" } },
});
if (!values.texts || !values.out) throw new Error("Name a file of texts with --texts and the result with --out.");

const texts = (await Bun.file(values.texts).text()).split("\n").filter((line) => line.trim() !== "");
const embedder = openEmbedder("onnx", { cacheDir: tmpdir(), model: values.model });
const vectors = await embedder.embed(texts, { role: "passage", priority: "background" });
await embedder.close();

const center = new Float64Array(embedder.dimensions);
for (const vector of vectors) for (const [at, value] of vector.entries()) center[at] = (center[at] ?? 0) + value;
const means = Array.from(center, (sum) => Number((sum / vectors.length).toFixed(DIGITS)));
await Bun.write(values.out, `${JSON.stringify(means)}\n`);
console.log(`${values.out}: mean of ${vectors.length} vectors, length ${Math.hypot(...means).toFixed(3)}.`);
