import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BackupState } from "../../../src/core/schema/keeping/backup.ts";
import { fill } from "../fill.ts";
import { startServer } from "../server.ts";
import { toTable } from "../tables.ts";
import { createAuthor } from "../text.ts";

// Usage: bun scripts/bench/keeping/backup.ts [EXECUTABLE] [--rows 100000] [--writers 8] [--seconds 10]
//
// How long a backup of a filled folder takes while clients write, and how much slower searches and writes are beside it: medians
// of the seconds before and of those while it is made, backups following each other. Without a name it is dist/cairn.

const { values, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    writers: { type: "string", default: "8" },
    seconds: { type: "string", default: "10" },
  },
  allowPositionals: true,
});
const [executable = "dist/cairn"] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-backup-"));
await fill(folder, { rows: Number(values.rows), embedder: "onnx" });
const server = await startServer({ name: "binary", command: [resolve(executable)] }, folder);
const questions = createAuthor(3).questions(200);
let isOver = false;
let written = 0;
const [writes, searches]: [number[], number[]] = [[], []];

async function keepWriting(writer: number): Promise<void> {
  for (let i = 0; !isOver; i++) {
    const content = `Row ${i} of writer ${writer}, beside a backup.`;
    writes.push((await server.call("POST", "/memories", { tenant_id: "default", content })).outside_ms);
    written++;
  }
}
async function keepSearching(): Promise<void> {
  for (let i = 0; !isOver; i++) searches.push((await server.search(questions[i % questions.length] ?? "")).outside_ms);
}
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
const taken = () => {
  const medians = { search_ms: median(searches), write_ms: median(writes) };
  searches.length = 0;
  writes.length = 0;
  return medians;
};
async function backUp(): Promise<number> {
  const startedAt = performance.now();
  let { run } = BackupState.parse((await server.call("POST", "/admin/backups", { keep: 1 })).body);
  while (run?.state === "running") {
    await Bun.sleep(10);
    ({ run } = BackupState.parse((await server.call("GET", "/admin/backups")).body));
  }
  if (run?.state !== "finished") throw new Error(run?.error ?? "There is no backup.");
  return performance.now() - startedAt;
}

try {
  await server.modelReady();
  const quiet_ms = await backUp();
  const work = [...Array.from({ length: Number(values.writers) }, (_, i) => keepWriting(i)), keepSearching()];
  await Bun.sleep(2_000);
  taken();
  await Bun.sleep(Number(values.seconds) * 1_000);
  const before = taken();
  const startedAt = performance.now();
  const backups: number[] = [];
  while (performance.now() - startedAt < Number(values.seconds) * 1_000) backups.push(await backUp());
  const beside = taken();
  isOver = true;
  await Promise.all(work);
  const busy_ms = median(backups);
  console.log(JSON.stringify({ ...values, written, quiet_ms, busy_ms, before, beside }));
  const row = (what: string, without: number, under: number) => [
    what,
    Math.round(without),
    Math.round(under),
    (under / without).toFixed(2),
  ];
  console.log(
    toTable(
      ["ms", "without", "with", "ratio"],
      [
        row("backup, without and with writers", quiet_ms, busy_ms),
        row("search p50, without and with a backup", before.search_ms, beside.search_ms),
        row("write p50, without and with a backup", before.write_ms, beside.write_ms),
      ],
    ),
  );
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
