import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEmbeddingModel } from "../../src/ai/models/embedding-model.ts";
import { MANIFEST_NAME } from "../../src/ai/models/files.ts";
import { dot } from "../../src/core/kernel/vectors.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { measureCalibration } from "./calibration.ts";

// Usage: bun scripts/models/seal.ts --folder models/multilingual-e5-notes-v1
//
// Completes the manifest of an embedding model: sizes and digests of the files it is loaded from, and what is measured with it (the cosine of its
// known pair; calibration and center, over the worlds of scripts/reader). Whatever of these the manifest has already is measured anew.
// Prints what cosines are in each language.

/** What is no part of the model as it is loaded. */
const BESIDE = [MANIFEST_NAME, "LICENSE"];
const COSINE_DIGITS = 3;
const DIGITS = 4;

const { values } = parseArgs({ options: { folder: { type: "string" } } });
if (!values.folder) throw new Error("Name the model's folder with --folder.");
const { folder } = values;
const path = join(folder, MANIFEST_NAME);
const manifest = JSON.parse(readFileSync(path, "utf8"));

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !BESIDE.includes(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  .sort();
manifest.files = Object.fromEntries(
  files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }];
  }),
);

const { id, max_tokens, dimensions } = manifest;
const model = await loadEmbeddingModel({ id, task: "embed", folder, max_tokens, width: dimensions }, 1);
const embed: Embedder["embed"] = async (texts, { role }) => {
  const prefix = role === "query" ? manifest.query_prefix : manifest.passage_prefix;
  const rows = await model.run(texts.map((text) => ({ text: prefix + text })));
  return texts.map((_, row) => rows.slice(row * dimensions, (row + 1) * dimensions));
};
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const [question, passage] = manifest.known_pair.texts;
const [asked] = await embed([question], { role: "query", priority: "background" });
const [read] = await embed([passage], { role: "passage", priority: "background" });
if (!asked || !read) throw new Error("The model gave no vectors.");
manifest.known_pair.cosine = rounded(dot(asked, read), COSINE_DIGITS);
const reader = join(import.meta.dir, "../reader");
const paths = [join(reader, "texts.jsonl"), ...new Bun.Glob(`${reader}/languages/*.jsonl`).scanSync("/")];
const { calibration, center, byLanguage } = await measureCalibration(embed, paths.sort());
manifest.calibration = Object.fromEntries(
  Object.entries(calibration).map(([name, value]) => [name, rounded(value, DIGITS)]),
);
manifest.center = Array.from(center, (value) => rounded(value, DIGITS));
await model.release();
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${id}: ${files.length} files; known pair ${manifest.known_pair.cosine}`);
const shown = ({ mean, deviation }: { mean: number; deviation: number }): string =>
  `${mean.toFixed(3)} ± ${deviation.toFixed(3)}`;
console.table(
  byLanguage.map(({ language, unrelated, related, rows }) => ({
    language,
    unrelated: shown(unrelated),
    related: shown(related),
    rows: shown(rows),
  })),
);
