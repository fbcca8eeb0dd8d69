// Usage: bun scripts/judge/neighbours.ts OUT.jsonl [--nearest 4] [FILE.jsonl...]
//
// Pairs as candidate search proposes them: each text of a world beside the nearest that were written before it, by meaning. They share
// a project, a name or a word, and nearly none speaks of the same; what does is left to whoever reads the list. FILE is of the
// form of scripts/reader/texts.jsonl; without one all of scripts/reader is read but for conversations, and worlds that are kept
// from training. A line of OUT: {older, newer, label: "compatible", kind: "neighbour", world, cosine}.
import { parseArgs } from "node:util";
import { z } from "zod";
import { loadEmbeddingModel } from "../../src/ai/models/embedding-model.ts";
import { modelFolder, readManifest } from "../../src/ai/models/files.ts";
import { EmbeddingManifest } from "../../src/ai/models/manifest.ts";
import { DEFAULT_MODEL } from "../../src/ai/open.ts";
import { dot } from "../../src/core/kernel/vectors.ts";

const { values, positionals } = parseArgs({
  options: { nearest: { type: "string", default: "4" } },
  allowPositionals: true,
});
const [out, ...files] = positionals;
if (out === undefined) throw new Error("Name the file to write.");
const WorldRow = z.looseObject({ world: z.string(), text: z.string(), held_out: z.boolean().default(false) });
/** Worlds that are somebody's talk: what is said stays said. */
const TALK = /^(?:conversation|messages|en-chats|en-histories)/;
const ROUNDED = 1000;

const reader = `${import.meta.dir}/../reader`;
const paths =
  files.length > 0 ? files : [`${reader}/texts.jsonl`, ...new Bun.Glob(`${reader}/languages/*.jsonl`).scanSync("/")];
const rows = (
  await Promise.all(
    paths.sort().map(async (path) => z.array(WorldRow).parse(Bun.JSONL.parse(await Bun.file(path).text()))),
  )
).flat();
const worlds = Map.groupBy(
  rows.filter(({ world, held_out }) => !held_out && !TALK.test(world)),
  ({ world }) => world,
);

const folder = modelFolder(DEFAULT_MODEL);
const { id, max_tokens, dimensions, passage_prefix } = readManifest(folder, EmbeddingManifest);
const model = await loadEmbeddingModel({ id, task: "embed", folder, max_tokens, width: dimensions }, 2);
const lines: string[] = [];
for (const [world, texts] of worlds) {
  const vectors = await model.run(texts.map(({ text }) => ({ lead: passage_prefix, text })));
  const vectorOf = (index: number) => vectors.subarray(index * dimensions, (index + 1) * dimensions);
  for (const [newer, { text }] of texts.entries()) {
    const before = texts
      .slice(0, newer)
      .map((older, index) => ({ older: older.text, cosine: dot(vectorOf(index), vectorOf(newer)) }));
    for (const { older, cosine } of before.toSorted((a, b) => b.cosine - a.cosine).slice(0, Number(values.nearest)))
      lines.push(
        JSON.stringify({
          older,
          newer: text,
          label: "compatible",
          kind: "neighbour",
          world,
          cosine: Math.round(cosine * ROUNDED) / ROUNDED,
        }),
      );
  }
}
await model.release();
await Bun.write(out, `${lines.join("\n")}\n`);
console.log(`${lines.length} pairs of ${worlds.size} worlds`);
