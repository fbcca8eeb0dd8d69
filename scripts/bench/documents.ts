import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import type { DocumentPage } from "../../src/core/ports/document-store.ts";
import { writeDocument } from "../../src/documents/write.ts";
import { listCollections, listDocuments } from "../../src/storage/documents/read.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { sqliteDialect } from "../../src/storage/sqlite/units/dialect.ts";
import { render } from "../../src/storage/sqlite/units/render.ts";
import type { Unit } from "../../src/storage/units/unit.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { ctxOf, mixtureEmbedder, openApp } from "./folder.ts";
import type { BenchServer } from "./server.ts";
import { startServer, targets } from "./server.ts";
import { figureTable } from "./tables.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/documents.ts [documents] [folder that an earlier run filled]
//
// Prints how long each document operation takes over HTTP, then what SQLite plans for the statements behind them.
// Stored vectors are mixtures of vectors of the real models, which embed every question anew.

const COLLECTIONS = 50;
const FLEETS = 5;
const SAMPLES = 100;
const WARM_UP = 20;
const SEED = 11;

const count = Number(process.argv[2] ?? 100_000);
const given = process.argv[3];
const folder = given ?? mkdtempSync(join(tmpdir(), "cairn-bench-documents-"));
if (given === undefined || !(await Bun.file(join(folder, "cairn.db")).exists())) await fill();

const section: Section = { target: "source", rows: count, command: `bun scripts/bench/documents.ts ${count}` };
const figures = await measure();
console.log(figureTable(figures));
explain();
if (given === undefined) rmSync(folder, { recursive: true, force: true });

/** Document `i`: `number` tells it alone, `parity` tells half of them. */
async function fill(): Promise<void> {
  const rows = createAuthor(SEED).rows(count);
  const embedder = await mixtureEmbedder(createAuthor(SEED));
  const app = await openApp(folder, { embedder });
  const ctx = await ctxOf(app);
  const startedAt = performance.now();
  for (const [i, { content }] of rows.entries()) {
    await writeDocument(ctx, {
      tenant_id: STANDALONE_TENANT,
      collection: collectionOf(i),
      doc_id: `doc-${i}`,
      fleet_id: `fleet-${i % FLEETS}`,
      data: {
        summary: content,
        number: i,
        parity: i % 2,
        status: i % 10 === 0 ? "open" : "closed",
        tags: ["a", `t${i % 7}`],
      },
    });
  }
  await app.stop();
  console.log(`${count} documents written in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

function collectionOf(i: number): string {
  return `collection-${i % COLLECTIONS}`;
}

async function measure(): Promise<Measurement[]> {
  const [target] = targets();
  if (!target) throw new Error("There is nothing to start.");
  const server = await startServer(target, folder);
  await server.modelReady();
  const questions = createAuthor(SEED).questions(SAMPLES + WARM_UP);
  const measured: Measurement[] = [];
  for (const [name, ask] of Object.entries(operationsOf(server, questions))) {
    const times: number[] = [];
    for (let i = 0; i < SAMPLES + WARM_UP; i++) times.push(await ask(i));
    measured.push(spread(section, `documents.${name}_ms`, times.slice(WARM_UP)));
  }
  await server.stop();
  return measured;
}

type Ask = (i: number) => Promise<number>;

function operationsOf(server: BenchServer, questions: readonly string[]): Record<string, Ask> {
  const tenant_id = STANDALONE_TENANT;
  const get = async (path: string) => (await server.call("GET", path)).outside_ms;
  const post = async (path: string, body: object) =>
    (await server.call("POST", path, { tenant_id, ...body })).outside_ms;
  const query = (fields: object) => (i: number) =>
    post("/documents/query", { collection: collectionOf(i), limit: 50, ...fields });
  const search = (fields: object) => (i: number) => post("/documents/search", { query: questions[i] ?? "", ...fields });
  return {
    list: (i) => get(`/documents?tenant_id=${tenant_id}&collection=${collectionOf(i)}`),
    list_fleet: (i) =>
      get(`/documents?tenant_id=${tenant_id}&collection=${collectionOf(i)}&fleet_id=fleet-${i % FLEETS}`),
    list_1000: (i) => get(`/documents?tenant_id=${tenant_id}&collection=${collectionOf(i)}&limit=1000`),
    query_selective: (i) => query({ where: { number: i + COLLECTIONS * 7 } })(i),
    query_unselective: query({ where: { status: "closed" } }),
    query_both: (i) => query({ where: { status: "closed", parity: i % 2 } })(i),
    query_order_by: query({ order_by: "number", order: "desc" }),
    query_where_order_by: query({ where: { status: "closed" }, order_by: "summary" }),
    collections: () => get(`/documents/collections?tenant_id=${tenant_id}`),
    collections_fleet: (i) => get(`/documents/collections?tenant_id=${tenant_id}&fleet_id=fleet-${i % FLEETS}`),
    read: (i) => get(`/documents/doc-${i}?tenant_id=${tenant_id}&collection=${collectionOf(i)}`),
    search: search({}),
    search_collection: (i) => search({ collection: collectionOf(i) })(i),
    search_fleet: search({ fleet_id: "fleet-1" }),
    search_fleet_unheard_of: search({ fleet_id: "fleet-none" }),
  };
}

/** Prints the statements as the store itself builds them, each with SQLite's plan. */
function explain(): void {
  const db = connect(join(folder, "cairn.db"), vectorExtensionPath(tmpdir()));
  const work = { dialect: sqliteDialect };
  const filter = { tenant_id: STANDALONE_TENANT, collection: collectionOf(1) };
  const page = { order: "asc", offset: 0, limit: 50 } as const;
  const pages: Record<string, DocumentPage> = {
    list: { ...page, filter },
    "list of a fleet": { ...page, filter: { ...filter, fleet_id: "fleet-1" } },
    query: { ...page, filter: { ...filter, where: { number: 1 } } },
    "query of two members": { ...page, filter: { ...filter, where: { status: "closed", parity: 1 } } },
    "query with order_by": { ...page, filter, order_by: "number" },
  };
  for (const [name, one] of Object.entries(pages)) {
    console.log(`\n${name}`);
    printPlan(db.readConnection, listDocuments(work, one));
  }
  for (const fleet_id of [null, "fleet-1"]) {
    console.log(`\ncollections${fleet_id ? " of a fleet" : ""}`);
    printPlan(db.readConnection, listCollections(work, { tenant_id: STANDALONE_TENANT, fleet_id }));
  }
  db.close();
}

function printPlan(reader: Database, unit: Unit<unknown>): void {
  const first = unit.next();
  if (first.done || "wait" in first.value) throw new Error("The unit asks nothing.");
  const { text, bound } = render(first.value.query);
  // Safe: what a filter holds are texts and numbers.
  const plan = reader
    .query<{ detail: string }, (string | number)[]>(`explain query plan ${text}`)
    .all(...(bound as (string | number)[]));
  console.log(text.replace(/\s+/g, " "));
  for (const { detail } of plan) console.log(`  ${detail}`);
}
