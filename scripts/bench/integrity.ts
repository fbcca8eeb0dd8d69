import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { toTimestamp } from "../../src/core/kernel/clock.ts";
import { contentHash } from "../../src/core/kernel/hash.ts";
import { newId } from "../../src/core/kernel/ids.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { IntegrityRunState } from "../../src/core/schema/integrity.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import type { Measurement } from "./figures.ts";
import { single, spread } from "./figures.ts";
import { openApp } from "./folder.ts";
import type { BenchServer } from "./server.ts";
import { startServer, targets } from "./server.ts";
import { figureTable } from "./tables.ts";
import { createAuthor, createDice } from "./text.ts";

// Usage: bun scripts/bench/integrity.ts [memories] [source|binary]
//
// How long a check of so many memories takes, and what a search takes before and beside it. The rows are made up, stored
// with their vectors and entities as if they had been read already.

const SEED = 29;
const BATCH = 1_000;
const ENTITIES = 5_000;
const ENTITIES_PER_ROW = 3;
const SEARCHES_BEFORE = 300;
const WARM_UP = 100;
const QUESTIONS = 500;

const count = Number(process.argv[2] ?? 100_000);
const target = targets().find(({ name }) => name === (process.argv[3] ?? "source"));
if (!target) throw new Error("There is no such target here. Build the executable, or take source.");
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-integrity-"));
const dice = createDice(SEED);
/** Each app closes its own; this one is never closed. */
const embedder = hashEmbedder();
const clock = { now: () => Date.now() };
const now = toTimestamp(clock.now());
const entityId = (number: number): string => `entity-${number}`;

/** Work on the data file itself, for what no verb does at once. */
async function onFile(statements: readonly string[]): Promise<void> {
  const db = connect(join(folder, "cairn.db"), vectorExtensionPath(tmpdir()));
  db.transaction(() => {
    for (const sql of statements) db.writeConnection.exec(sql);
  });
  await db.close();
}

/** Some of the entities are named by very many rows. */
const someEntities = (): string[] => [
  ...new Set(Array.from({ length: ENTITIES_PER_ROW }, () => entityId(1 + Math.floor(dice() ** 4 * ENTITIES)))),
];

const aRow = (content: string): StoredMemory => ({
  id: newId(clock),
  tenant_id: STANDALONE_TENANT,
  fleet_id: null,
  agent_id: "bench",
  memory_type: "fact",
  title: null,
  content,
  weight: 0.5,
  source_uri: null,
  run_id: null,
  metadata: null,
  system_metadata: null,
  entity_links: someEntities().map((entity_id) => ({ entity_id, role: "mentioned" })),
  content_hash: contentHash(STANDALONE_TENANT, null, content),
  created_at: now,
  expires_at: null,
  deleted_at: null,
  subject_entity_id: null,
  predicate: null,
  object_value: null,
  ts_valid_start: null,
  ts_valid_end: null,
  status: "active",
  visibility: "scope_team",
  recall_count: 0,
  last_recalled_at: null,
  supersedes_id: null,
  embedded_by: embedder.id,
});

async function store(storage: Storage, rows: readonly StoredMemory[]): Promise<void> {
  const texts = rows.map(({ content }) => content);
  const vectors = await embedder.embed(texts, { role: "passage", priority: "background" });
  const entries = rows.flatMap((memory, i) => {
    const own = vectors[i];
    return own ? [{ memory, vectors: { own, context: null }, client_request_id: null }] : [];
  });
  const actor = { agent_id: null, auth_source: "bench" };
  await storage.memories.insert({ entries, actor, memories_limit: count * 2, jobsFor: () => [] });
}

async function fill(): Promise<void> {
  await (await openApp(folder, { embedder: hashEmbedder() })).stop();
  await onFile([
    `insert into entities (seq, id, tenant_id, entity_type, canonical_name, name_key, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ENTITIES})
      select n, 'entity-' || n, '${STANDALONE_TENANT}', 'x', n, n, '${now}' from numbers`,
  ]);
  const app = await openApp(folder, { embedder: hashEmbedder() });
  const author = createAuthor(SEED);
  for (let written = 0; written < count; written += BATCH) {
    const rows = author.rows(Math.min(BATCH, count - written));
    await store(
      app.services.storage,
      rows.map(({ content }, i) => aRow(`${content} ${written + i}`)),
    );
  }
  await app.stop();
  await onFile([
    `insert into memory_checks (memory_seq, content_hash, checked_at, embedded)
      select seq, content_hash, '${now}', 1 from memories`,
  ]);
}

const questions = createAuthor(SEED + 1).questions(QUESTIONS);
let asked = 0;
const search = async (server: BenchServer): Promise<number> =>
  (await server.search(questions[asked++ % QUESTIONS] ?? "")).outside_ms;

async function measure(server: BenchServer): Promise<Measurement[]> {
  const section = { target: target?.name ?? "source", rows: count, command: `bun scripts/bench/integrity.ts ${count}` };
  for (let i = 0; i < WARM_UP; i++) await search(server);
  const before: number[] = [];
  for (let i = 0; i < SEARCHES_BEFORE; i++) before.push(await search(server));
  const beside: number[] = [];
  const startedAt = performance.now();
  let { run } = IntegrityRunState.parse((await server.call("POST", "/integrity/run", { kind: "check" })).body);
  while (run?.state === "running") {
    for (let i = 0; i < 10; i++) beside.push(await search(server));
    ({ run } = IntegrityRunState.parse((await server.call("GET", "/integrity/run")).body));
  }
  const took = (performance.now() - startedAt) / 1_000;
  const faults = run?.report?.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`) ?? [
    "none ran",
  ];
  return [
    single(section, "integrity.check_s", took, faults.join("; ") || "nothing wrong was found"),
    spread(section, "integrity.search_before_ms", before),
    spread(section, "integrity.search_beside_ms", beside, "one search after the other while the check runs"),
  ];
}

try {
  await fill();
  const server = await startServer(target, folder, ["--embedder=hash"]);
  try {
    const figures = await measure(server);
    for (const figure of figures) console.log(JSON.stringify(figure));
    console.log(`\n${figureTable(figures)}`);
  } finally {
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
