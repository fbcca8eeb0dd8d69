import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runInNode } from "../../browser/node.ts";
import { fill } from "../fill.ts";

// Usage: bun scripts/bench/console/overview.ts [EXECUTABLE] [--rows 10000] [--loads 15]
//
// How long the Overview of the console takes to be painted first, and to show how many memories there are, in Chromium, counted from
// the start of the navigation; each load in a browser profile of its own, so that nothing is cached. Without a name it is dist/cairn.

const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "10000" }, loads: { type: "string", default: "15" } },
  allowPositionals: true,
});
const [executable = "dist/cairn"] = positionals;
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
try {
  await fill(folder, { rows: Number(values.rows), embedder: "hash" });
  const more = { folder, rows: values.rows, loads: values.loads };
  process.exitCode = await runInNode("scripts/bench/console/first-paint.ts", [resolve(executable)], more);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
