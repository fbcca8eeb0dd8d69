import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { findPairs, readRow } from "../../src/conflicts/find-pairs.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { linkEntities } from "../../src/entities/link.ts";
import { draftMemory } from "../../src/memories/draft.ts";
import { embedRows } from "../../src/memories/embed.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { fill } from "../bench/fill.ts";
import { ctxOf, openApp } from "../bench/folder.ts";
import { markdownTable } from "../markdown.ts";
import { isWanted, readPairs } from "./labelled-pairs.ts";
import { readSet } from "./question-set.ts";

// Usage: bun scripts/evaluate/candidates.ts [--rows 1000,100000] [--texts SET.json] [--pairs 300] PAIRS.jsonl
//
// How often the memory that a new one contradicts is among those it is compared with, in stores of so many made-up rows and the
// memories of a question set (conversations, say), and how many pairs the judge reads of a row.

const { values, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "1000,100000" },
    texts: { type: "string" },
    pairs: { type: "string", default: "300" },
  },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) throw new Error("Name a file of pairs.");
const pairs = readPairs(path).filter(isWanted).slice(0, Number(values.pairs));
const others = values.texts === undefined ? [] : (await readSet(values.texts)).memories;

const STEP = 32;
const scope = { tenant_id: STANDALONE_TENANT, agent_id: "bench", fleet_id: null, visibility: "scope_team" as const };
const actor = { agent_id: null, auth_source: "bench" };

/** Files texts with the vectors of the models, in order. */
async function insert(ctx: Ctx, items: readonly { readonly content: string; readonly run_id?: string }[]) {
  const filed: StoredMemory[] = [];
  for (let i = 0; i < items.length; i += STEP) {
    const drafts = items.slice(i, i + STEP).map((item) => ({
      ...draftMemory(ctx, scope, item, []),
      embedded_by: ctx.embedder.id,
    }));
    const vectors = await embedRows(
      ctx,
      drafts.map((memory) => ({ memory, previous: null })),
      { role: "passage", priority: "background" },
    );
    const entries = drafts.flatMap((memory, k) => {
      const own = vectors[k];
      return own ? [{ memory, vectors: own, client_request_id: null }] : [];
    });
    const batch = { entries, actor, memories_limit: Number.MAX_SAFE_INTEGER, jobsFor: () => [] };
    const outcomes = await ctx.storage.memories.insert(batch);
    filed.push(...drafts.filter((_, k) => outcomes[k]?.outcome === "created"));
  }
  return filed;
}

/** What looking at every row would leave behind. */
function markChecked(folder: string): void {
  const db = connect(join(folder, "cairn.db"), vectorExtensionPath(tmpdir()));
  db.writeConnection.exec(`insert or ignore into memory_checks (memory_seq, content_hash, checked_at, embedded)
    select seq, content_hash, '', 1 from memories`);
  db.close();
}

async function measure(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-candidates-"));
  try {
    await fill(folder, { rows, embedder: "onnx" });
    const app = await openApp(folder);
    const ctx = await ctxOf(app);
    await insert(
      ctx,
      others.map(({ text, run }) => ({ content: text, ...(run ? { run_id: run } : {}) })),
    );
    const older = await insert(
      ctx,
      pairs.map((pair) => ({ content: pair.older })),
    );
    const newer = await insert(
      ctx,
      pairs.map((pair) => ({ content: pair.newer })),
    );
    const ids = [...older, ...newer].map(({ id }) => id);
    await linkEntities(ctx, { tenant_id: STANDALONE_TENANT, memory_ids: ids });
    markChecked(folder);
    let [found, compared, took] = [0, 0, 0];
    for (const memory of newer) {
      const partner = partnerOf(memory, older);
      const startedAt = performance.now();
      const made = await findPairs(ctx, readRow({ memory, demoted: false, is_partial: false }), []);
      took += performance.now() - startedAt;
      compared += made.length;
      if (made.some((pair) => pair.older.memory.content === partner?.content)) found++;
    }
    await app.stop();
    const each = (sum: number) => (sum / newer.length).toFixed(2);
    return [
      String(rows + others.length),
      String(newer.length),
      (found / newer.length).toFixed(3),
      each(compared),
      each(took),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const partnerOf = (memory: StoredMemory, older: readonly StoredMemory[]): StoredMemory | undefined => {
  const content = pairs.find((pair) => pair.newer.trim() === memory.content)?.older.trim();
  return older.find((row) => row.content === content);
};

const lines: string[][] = [];
for (const rows of values.rows.split(",")) lines.push(await measure(Number(rows)));
console.log(markdownTable(["rows", "pairs", "partner read", "pairs read of a row", "ms of the thread"], lines));
process.exit(0);
