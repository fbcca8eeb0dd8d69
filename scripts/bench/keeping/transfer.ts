import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fill } from "../fill.ts";
import { startServer } from "../server.ts";
import { toTable } from "../tables.ts";
import { createAuthor } from "../text.ts";

// Usage: bun scripts/bench/keeping/transfer.ts [EXECUTABLE] [--rows 20000]
//
// How many records a second an export gives and an import stores, beside how many bulk writes store: one client, the
// largest requests of each, into an empty folder, the parts alternating. Without a name it is dist/cairn.

/** As many as a request may hold. */
const BULK_BATCH = 100;
const IMPORT_BATCH = 200;
const ROUNDS = 3;
const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "20000" } },
  allowPositionals: true,
});
const [executable = "dist/cairn"] = positionals;
const rows = Number(values.rows);
const target = { name: "binary" as const, command: [resolve(executable)] };
const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "cairn-bench-transfer-"));
  folders.push(made);
  return made;
};
const perSecond = (startedAt: number, count = rows): number =>
  Math.round((count * 1_000) / (performance.now() - startedAt));

/** Sends texts in batches to an empty server; records a second. */
async function send(
  path: string,
  batch: number,
  bodyOf: (texts: readonly string[], from: number) => object,
): Promise<number> {
  const server = await startServer(target, folder());
  try {
    const texts = createAuthor(7)
      .rows(rows)
      .map(({ content }) => content);
    const startedAt = performance.now();
    for (let i = 0; i < rows; i += batch)
      await server.call("POST", path, { tenant_id: "default", ...bodyOf(texts.slice(i, i + batch), i) });
    return perSecond(startedAt);
  } finally {
    await server.stop();
  }
}

const bulk = () => send("/memories/bulk", BULK_BATCH, (texts) => ({ items: texts.map((content) => ({ content })) }));
const imported = () =>
  send("/import", IMPORT_BATCH, (texts, from) => ({
    source: "bench",
    position: from + texts.length,
    records: texts.map((content) => ({ record: "memory", content, created_at: "2026-01-01T00:00:00Z" })),
  }));

async function exported(): Promise<number> {
  const place = folder();
  await fill(place, { rows, embedder: "hash" });
  const server = await startServer(target, place);
  try {
    const startedAt = performance.now();
    const reply = await fetch(`${server.url}/api/v1/export`);
    await reply.arrayBuffer();
    return perSecond(startedAt);
  } finally {
    await server.stop();
  }
}

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

try {
  const [bulks, imports]: [number[], number[]] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    bulks.push(await bulk());
    imports.push(await imported());
  }
  const figures = { rows, bulk: median(bulks), import: median(imports), export: await exported() };
  const ratio = figures.import / figures.bulk;
  console.log(JSON.stringify({ ...figures, ratio }));
  console.log(
    toTable(
      ["", "records/s", "of bulk writes"],
      [
        ["bulk writes", figures.bulk, "1"],
        ["import", figures.import, ratio.toFixed(2)],
        ["export", figures.export, (figures.export / figures.bulk).toFixed(2)],
      ],
    ),
  );
} finally {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
}
