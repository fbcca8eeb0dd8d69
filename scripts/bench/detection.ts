import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { detectContradictions } from "../../src/conflicts/detect.ts";
import { toTimestamp } from "../../src/core/kernel/clock.ts";
import { contentHash } from "../../src/core/kernel/hash.ts";
import { newId } from "../../src/core/kernel/ids.ts";
import type { ContradictionStore } from "../../src/core/ports/contradiction-store.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import type { Connections } from "../../src/storage/sqlite/engine/connection.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { openApp } from "./folder.ts";
import { figureTable } from "./tables.ts";
import { createAuthor, createDice } from "./text.ts";

// Usage: bun scripts/bench/detection.ts [memories]
//
// How long looking at one new memory holds up the thread that answers requests, among so many stored ones. Without the
// model, whose work (the judge's pairs) is done in the worker; what remains is all on this thread.

const SAMPLES = 300;
const WARM_UP = 50;
const SEED = 23;
const BATCH = 1_000;
/** A subject is spoken of this often, on average. */
const ROWS_PER_SUBJECT = 5;
/** Half of the rows speak of one of these few as well, so that their posting lists are long. */
const FREQUENT_SUBJECTS = 4;
const ENTITIES_PER_ROW = 3;
const TEAMS = ["payments", "staging", "billing", "search", "mobile", "support", "design", "platform"];
const THINGS = ["database", "deadline", "budget", "owner", "version", "region", "release", "office", "backup", "queue"];

const count = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-detection-"));
const dice = createDice(SEED);
/** Each app closes its own; this one is never closed. */
const embedder = hashEmbedder();
const fillers = createAuthor(SEED).rows(BATCH);
const clock = { now: () => Date.now() };

const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(dice() * all.length)];

/** A statement about one of many subjects, every second time with another about one of a few. */
function statement(): string {
  const subject = Math.floor(dice() * (count / ROWS_PER_SUBJECT));
  const own = `The ${pick(THINGS)} of ${pick(TEAMS)} group ${subject} is ${Math.floor(dice() * 1_000)}.`;
  const shared = `The ${pick(THINGS.slice(0, FREQUENT_SUBJECTS))} is ${Math.floor(dice() * 1_000)}.`;
  return dice() < 0.5 ? `${own} ${shared}` : `${own} ${pick(fillers)?.content ?? ""}`;
}

function aRow(): StoredMemory {
  const content = statement();
  return {
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
    entity_links: [],
    content_hash: contentHash(STANDALONE_TENANT, null, content),
    created_at: toTimestamp(clock.now()),
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
  };
}

/** Stores rows with their vectors and leaves no job behind. */
async function insert(storage: Storage, rows: readonly StoredMemory[]): Promise<void> {
  const vectors = await embedder.embed(
    rows.map(({ content }) => content),
    { role: "passage", priority: "background" },
  );
  const entries = rows.flatMap((memory, i) => {
    const own = vectors[i];
    return own ? [{ memory, vectors: { own, context: null }, client_request_id: null }] : [];
  });
  const actor = { agent_id: null, auth_source: "bench" };
  await storage.memories.insert({ entries, actor, memories_limit: count * 2, jobsFor: () => [] });
}

/** What earlier looks left behind, written at once instead of row by row. */
function fillDetection(db: Connections): void {
  const entities = Math.ceil(count / ROWS_PER_SUBJECT);
  db.transaction(() => {
    const entity = db.writeConnection.query(`insert into entities
      (seq, id, tenant_id, entity_type, canonical_name, name_key, created_at)
      values (?, ?, ?, 'x', ?, ?, '')`);
    for (let i = 1; i <= entities; i++) entity.run(i, String(i), STANDALONE_TENANT, String(i), String(i));
    const check = db.writeConnection.query(`insert into memory_checks (memory_seq, content_hash, checked_at, embedded)
      values (?, ?, '', 1)`);
    for (const row of memoriesIn(db)) {
      check.run(row.seq, row.content_hash);
      linkEntities(db, row.seq, entities);
    }
  });
}

const memoriesIn = (db: Connections) =>
  db.writeConnection
    .query<{ seq: number; content_hash: string }, []>("select seq, content_hash from memories order by seq")
    .all();

/** Some of the entities are named by very many rows. */
function linkEntities(db: Connections, seq: number, entities: number): void {
  const link = db.writeConnection.query(
    "insert or ignore into memory_entities (entity_seq, memory_seq, role) values (?, ?, 'x')",
  );
  for (let i = 0; i < ENTITIES_PER_ROW; i++) link.run(1 + Math.floor(dice() ** 4 * entities), seq);
}

async function measure(): Promise<Measurement[]> {
  /** Milliseconds of processor time, which says the same on a busy machine as on an idle one. */
  async function timing<T>(times: number[], work: () => Promise<T>): Promise<T> {
    const before = process.cpuUsage();
    const done = await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
    return done;
  }

  const app = await openApp(folder, { embedder: hashEmbedder() });
  const { storage } = app.services;
  const [whole, candidates, record]: [number[], number[], number[]] = [[], [], []];
  const { contradictions } = storage;
  const timed: ContradictionStore = {
    ...contradictions,
    candidates: (query) => timing(candidates, () => contradictions.candidates(query)),
    record: (check, actor) => timing(record, () => contradictions.record(check, actor)),
  };
  const services = { ...app.services, storage: { ...storage, contradictions: timed } };
  const rows = Array.from({ length: SAMPLES + WARM_UP }, aRow);
  await insert(storage, rows);
  const db = connect(join(folder, "cairn.db"), vectorExtensionPath(tmpdir()));
  db.transaction(() => {
    for (const row of memoriesIn(db).slice(-rows.length)) linkEntities(db, row.seq, count / 5);
  });
  await db.close();
  for (const { id } of rows) {
    await timing(whole, () => detectContradictions(services, { tenant_id: STANDALONE_TENANT, memory_ids: [id] }));
  }
  await app.stop();
  const section: Section = { target: "in-process", rows: count, command: `bun scripts/bench/detection.ts ${count}` };
  return [
    spread(section, "detection.one_row_ms", whole.slice(WARM_UP), "reading, finding candidates, comparing, recording"),
    spread(section, "detection.candidates_ms", candidates.slice(WARM_UP), "by claim, vector and entity"),
    spread(section, "detection.record_ms", record.slice(WARM_UP), "one durable transaction"),
  ];
}

const app = await openApp(folder, { embedder: hashEmbedder() });
for (let written = 0; written < count; written += BATCH) {
  await insert(app.services.storage, Array.from({ length: Math.min(BATCH, count - written) }, aRow));
}
await app.stop();
const db = connect(join(folder, "cairn.db"), vectorExtensionPath(tmpdir()));
fillDetection(db);
await db.close();
console.log(figureTable(await measure()));
rmSync(folder, { recursive: true, force: true });
