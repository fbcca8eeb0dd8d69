import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { DAY_MS, systemClock } from "../../src/core/kernel/clock.ts";
import type { NewMemory } from "../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { draftMemory } from "../../src/memories/draft.ts";
import { speakerLabel } from "../../src/text/words/speaker-label.ts";
import type { FiledRow } from "./fill/rows.ts";
import { fileRow, SMALL_EVERY, SMALL_TENANT } from "./fill/rows.ts";
import type { PlainVectors } from "./fill/vectors.ts";
import { clusteredVectors, embeddedVectors, unit } from "./fill/vectors.ts";
import { AGE_DAYS, ctxOf, openApp, ROW_SEED } from "./folder.ts";
import { createAuthor, createDice } from "./text.ts";

// Usage: bun scripts/bench/fill.ts FOLDER|postgres://... [--rows 100000] [--embedder onnx|hash] [--vectors clustered|embedded]
//
// Fills a data folder, some thousands a second, or an empty database of a PostgreSQL server, with made-up memories: rows,
// keywords and vectors as the storage files them, but nothing that would take a model or the job loop, so that no entities are linked and no contradictions sought. With --embedder
// onnx vectors are clustered around what the real model made of a thousand texts (fill/vectors.ts); with hash, or --vectors
// embedded, they are those of the texts, of which the model makes a hundred a second. The clustered ones are the harder to tell
// apart: of 4,000, sign codes found .91 of the nearest ten by two models together, against .97 of the embedded ones. Parts of the rows
// can be searched by filters (fill/rows.ts). A folder has the shape of the checkout that filled it: to compare executables, fill
// with that of the older one.

const BATCH = 1_000;
/** Rows of one write: the more of them, the longer each takes; of 30,000 rows those by 1,000 took half as long again. */
const WRITTEN_AT_ONCE = 200;

interface FillOptions {
  readonly rows: number;
  readonly embedder: string;
  readonly vectors?: string;
}

/** Fills a folder, or the database of an address, until it holds so many memories. */
export async function fill(place: string, { rows, embedder, vectors = "clustered" }: FillOptions): Promise<void> {
  let filed = 0;
  const now = systemClock.now();
  const clock = { now: () => now - AGE_DAYS * DAY_MS * (1 - filed / rows) };
  const isAddress = place.includes("://");
  const folder = isAddress ? mkdtempSync(join(tmpdir(), "cairn-fill-")) : place;
  const database = isAddress ? [`--database-url=${place}`] : [];
  const app = await openApp(folder, { clock }, [`--embedder=${embedder}`, ...database]);
  try {
    const ctx = await ctxOf(app);
    const dice = createDice(ROW_SEED);
    const isEmbedded = embedder === "hash" || vectors === "embedded";
    const vectorsOf = isEmbedded ? embeddedVectors(ctx.embedder) : await clusteredVectors(ctx.embedder, dice);
    const runs = new Map<string, LastOfRun>();
    const draft = ({ agent_id, item }: FiledRow, number: number): StoredMemory => {
      const tenant_id = number % SMALL_EVERY === 0 ? SMALL_TENANT : STANDALONE_TENANT;
      const scope = { tenant_id, agent_id, fleet_id: null, visibility: "scope_team" as const };
      return { ...draftMemory(ctx, scope, item, []), embedded_by: ctx.embedder.id };
    };
    for (let seed = ROW_SEED; filed < rows; seed++) {
      const texts = createAuthor(seed).rows(Math.min(BATCH, rows - filed));
      const drafts = texts.map((row, i) => draft(fileRow(row, dice, filed + i), filed + i));
      const made = await vectorsOf(drafts.map(({ content }) => content));
      const entries = drafts.map((memory, i) => entryOf(memory, made[i], runs));
      const ofTenants = Map.groupBy(entries, ({ memory }) => memory.tenant_id).values();
      for (const part of [...ofTenants].flatMap(parted)) {
        const actor = { agent_id: null, auth_source: "standalone" };
        const batch = { entries: part, actor, memories_limit: Number.MAX_SAFE_INTEGER, jobsFor: () => [] };
        const outcomes = await ctx.storage.memories.insert(batch);
        filed += outcomes.filter(({ outcome }) => outcome === "created").length;
      }
    }
  } finally {
    await app.stop();
    if (isAddress) rmSync(folder, { recursive: true, force: true });
  }
}

const parted = (entries: readonly NewMemory[]): NewMemory[][] =>
  Array.from({ length: Math.ceil(entries.length / WRITTEN_AT_ONCE) }, (_, i) =>
    entries.slice(i * WRITTEN_AT_ONCE, (i + 1) * WRITTEN_AT_ONCE),
  );

interface LastOfRun {
  readonly hash: string;
  readonly own: Float32Array;
}

/** A row with its vectors; a turn of a run is read with the row before it, whose vector stands for that one's text. */
function entryOf(memory: StoredMemory, vectors: PlainVectors | undefined, runs: Map<string, LastOfRun>): NewMemory {
  if (!vectors) throw new Error("A row has no vector.");
  const run = memory.run_id === null ? null : `${memory.tenant_id} ${memory.run_id}`;
  const last = run === null ? undefined : runs.get(run);
  if (run !== null) runs.set(run, { hash: memory.content_hash, own: vectors.own });
  const context =
    last && speakerLabel(memory.content)
      ? { values: unit(vectors.own.map((value, i) => value + (last.own[i] ?? 0))), previous_hash: last.hash }
      : null;
  return { memory, vectors: { ...vectors, context }, client_request_id: null };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      rows: { type: "string", default: "100000" },
      embedder: { type: "string", default: "onnx" },
      vectors: { type: "string", default: "clustered" },
    },
    allowPositionals: true,
  });
  const [place] = positionals;
  if (place === undefined) throw new Error("Name the folder or the database to fill.");
  const startedAt = performance.now();
  await fill(place, { ...values, rows: Number(values.rows) });
  console.log(`${values.rows} memories in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
