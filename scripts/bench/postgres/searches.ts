import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareSearches } from "../compare/searches.ts";
import { startServer, targets } from "../server.ts";
import { toTable } from "../tables.ts";

// Usage: bun scripts/bench/postgres/searches.ts FOLDER postgres://... [--seconds 2] [--target source|binary]
// The same searches of a folder and of a database that fill.ts gave the same rows, over HTTP and in turns, one client and more.

const { values, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "2" }, target: { type: "string", default: "source" } },
  allowPositionals: true,
});
const [source, address] = positionals;
if (source === undefined || address === undefined) throw new Error("Name a folder and a database, filled alike.");
const target = targets().find(({ name }) => name === values.target);
if (!target) throw new Error(`There is no target '${values.target}' here. Build the executable, or take source.`);

const unused = mkdtempSync(join(tmpdir(), "cairn-searches-"));
const servers = [
  await startServer(target, source),
  await startServer(target, unused, ["--database-url", address]),
] as const;
try {
  for (const server of servers) await server.modelReady();
  const seconds = Number(values.seconds);
  const figures = await compareSearches({ servers, folders: [source, unused], source, embedder: "onnx", seconds });
  const rows = figures.map(({ what, old, new: other }) => ({ what, sqlite: old, postgres: other }));
  console.log(JSON.stringify({ target: target.name, figures: rows }));
  console.log(
    toTable(
      ["figure", "SQLite", "Postgres", "ratio"],
      rows.map(({ what, sqlite, postgres }) => [
        what,
        (sqlite ?? Number.NaN).toFixed(2),
        (postgres ?? Number.NaN).toFixed(2),
        ((postgres ?? Number.NaN) / (sqlite ?? Number.NaN)).toFixed(2),
      ]),
    ),
  );
} finally {
  for (const server of servers) await server.stop();
  rmSync(unused, { recursive: true, force: true });
}
