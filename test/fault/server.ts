import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { join, resolve } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { z } from "zod";
import { MemoryPage } from "../../src/core/schema/memory-query.ts";
import { Status } from "../../src/core/schema/system.ts";
import type { Client } from "../support/api/client.ts";
import { createClient } from "../support/api/client.ts";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { HERMETIC, UNLIMITED } from "../support/in-process.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** The interpreter itself, not its wrapper in node_modules: a signal must reach the server. */
export const CAIRN = isBinary ? [join(ROOT, "dist/cairn")] : [process.execPath, join(ROOT, "src/main.ts")];
/** Generous: this machine may be busy with other things. */
const WITHIN_MS = 120_000;

export interface SpawnOptions {
  readonly folder: string;
  readonly embedder?: "hash" | "onnx";
  readonly flags?: readonly string[];
}

/** A server in a process of its own, so that it can be killed. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  readonly client: Client;
  /** Ends it as a power cut would: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  terminate(signal?: NodeJS.Signals): Promise<number>;
  /** What it wrote to its log so far. */
  log(): string;
}

const running = new Set<Bun.Subprocess>();

const folders: { remove(): void }[] = [];

/** Path of a folder that `cleanUp` removes. */
export function aFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

/** Ends and removes whatever the tests of a file left behind, failed ones included: only what was started here. */
export async function cleanUp(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
  for (const folder of folders.splice(0)) folder.remove();
}

function spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([...CAIRN, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...HERMETIC, HOME: process.env.HOME ?? "/", PATH: process.env.PATH ?? "", ...env },
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return child;
}

const Ready = z.object({ event: z.literal("ready"), url: z.string(), port: z.int(), pid: z.int() });

/** Starts a server and waits until it is ready. */
export async function spawnServer({ folder, embedder = "hash", flags = [] }: SpawnOptions): Promise<Server> {
  const place = ["--data", folder, "--port", "0", "--embedder", embedder, "--ready-json"];
  const child = spawn(["serve", ...place, ...UNLIMITED, ...flags]);
  const log = collect(child.stderr);
  const { url, port, pid } = Ready.parse(JSON.parse((await firstLine(child.stdout)) ?? `"${log()}"`));
  return {
    pid,
    port,
    client: createClient((path, init) => fetch(`${url}${path}`, init)),
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    terminate: (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exited;
    },
    log,
  };
}

/** Starts a server and ends it as a power cut would, whether it is ready by then or not. */
export async function startAndKill(folder: string, afterMs: number): Promise<void> {
  const child = spawn(["serve", "--data", folder, "--port", "0", "--embedder", "hash"]);
  await Bun.sleep(afterMs);
  child.kill("SIGKILL");
  await child.exited;
}

/** Runs a start that is expected to fail, to its end. */
export async function runToEnd(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(args, env);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

function collect(stream: ReadableStream<Uint8Array>): () => string {
  let text = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return () => text;
}

/** What a stream says first; null where it ends before. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  return null;
}

/** Polls until the condition holds; throws when it does not within reason. */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await Bun.sleep(20);
  }
}

/** Waits until every row has its vector and no job is left, failed ones included. */
export const untilSettled = ({ client }: Pick<Server, "client">): Promise<void> =>
  until("all work is done", async () => {
    const { jobs } = await client.ok(Status, "GET", "/api/v1/status");
    const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
    const isPending = items.some(({ metadata }) => metadata?.embedding_pending === true);
    return jobs?.pending === 0 && !isPending;
  });

/** Opens the data of a server that no longer runs. */
export function openData(folder: string): Database {
  const db = new Database(join(folder, "cairn.db"), { readwrite: true });
  db.loadExtension(getLoadablePath());
  return db;
}

/** One number. */
export const count = (db: Database, sql: string): number =>
  db.query<{ n: number }, []>(`select count(*) as n from ${sql}`).get()?.n ?? Number.NaN;

/** What the detector did agrees with what it found, and every row was looked at or is named by a job that will. */
function checkFindings(db: Database): void {
  const standing = "findings f where f.retracted_at is null";
  const demoted = "memories m join memory_checks c on c.memory_seq = m.seq where c.former_status is not null";
  const against = "select f.older_seq from findings f where f.retracted_at is null";
  const linked = "memories m where m.supersedes_id is not null";
  const live = "memories m where m.deleted_at is null";
  const looked = `select c.memory_seq from memory_checks c where c.content_hash is m.content_hash
    and (c.embedded or m.embedded_by is null)`;
  const named = "select value from jobs, json_each(jobs.payload, '$.memory_ids') where kind = 'understand_memories'";
  expect({
    ofRowsThatAreGone: count(
      db,
      `${standing} and exists (select 1 from memories m where m.seq in (f.older_seq, f.newer_seq) and m.deleted_at is not null)`,
    ),
    ofOtherTexts: count(
      db,
      `${standing} and (
        f.older_hash <> (select content_hash from memories m where m.seq = f.older_seq)
        or f.newer_hash <> (select content_hash from memories m where m.seq = f.newer_seq))`,
    ),
    demotedForNothing: count(
      db,
      `${demoted} and (m.status not in ('outdated', 'conflicted') or m.seq not in (${against}))`,
    ),
    linkedToNothing: count(
      db,
      `${linked} and not exists (select 1 from findings f join memories o on o.seq = f.older_seq
        where f.newer_seq = m.seq and f.retracted_at is null and o.id = m.supersedes_id)`,
    ),
    claimsOfRowsThatAreGone: count(
      db,
      "memory_claims c join memories m on m.seq = c.memory_seq where m.deleted_at is not null",
    ),
    neverToBeLookedAt: count(db, `${live} and m.seq not in (${looked}) and m.id not in (${named})`),
  }).toEqual({
    ofRowsThatAreGone: 0,
    ofOtherTexts: 0,
    demotedForNothing: 0,
    linkedToNothing: 0,
    claimsOfRowsThatAreGone: 0,
    neverToBeLookedAt: 0,
  });
}

/**
 * Holds the file to what every moment must leave behind, whatever ended the process: a sound file, and indexes, counters
 * and audit rows that agree with the rows they were made from.
 */
export function checkData(folder: string): void {
  const db = openData(folder);
  const side = count(db, "generations where side = 'b' and state = 'active'") === 1 ? "b_" : "";
  try {
    expect(db.query("pragma integrity_check").values()).toEqual([["ok"]]);
    expect(db.query("pragma foreign_key_check").values()).toEqual([]);
    for (const words of ["memory_words", "document_words"]) {
      db.exec(`insert into ${words} (${words}, rank) values ('integrity-check', 0)`); // Throws when it is not sound.
    }
    const live = "memories m where m.deleted_at is null";
    const embedded = `${live} and m.embedded_by is not null`;
    expect({
      words: count(db, "memory_words_docsize"),
      wordsOfRows: count(db, `${live} and m.words_row in (select id from memory_words_docsize)`),
      codes: count(db, `${side}memory_codes where seq > 0`),
      strayCodes: count(db, `${side}memory_codes where abs(seq) not in (select seq from ${embedded})`),
      codesOfRows: count(db, `${embedded} and m.seq in (select seq from ${side}memory_codes)`),
      vectorsOfRows: count(
        db,
        `${embedded} and (m.seq, m.embedded_by) in (select seq, embedder_id from ${side}memory_vectors where length(vector) = 1536)`,
      ),
      stored: db.query("select coalesce(sum(memories_stored), 0) from tenant_usage").values()[0]?.[0],
      audited: count(db, "audit_log where action = 'memory.create'"),
    }).toEqual({
      words: count(db, live),
      wordsOfRows: count(db, live),
      codes: count(db, embedded),
      strayCodes: 0,
      codesOfRows: count(db, embedded),
      vectorsOfRows: count(db, embedded),
      stored: count(db, live),
      audited: count(db, "memories"),
    });
    checkFindings(db);
    const searchable = "documents d where d.summary is not null";
    expect({
      words: count(db, "document_words_docsize"),
      wordsOfDocuments: count(db, `${searchable} and d.seq in (select id from document_words_docsize)`),
      codes: count(db, `${side}document_codes`),
      vectors: count(db, `${side}document_vectors`),
      vectorsOfDocuments: count(
        db,
        `${searchable} and (d.seq, d.embedded_by) in (select seq, embedder_id from ${side}document_vectors) and d.seq in (select seq from ${side}document_codes)`,
      ),
    }).toEqual({
      words: count(db, searchable),
      wordsOfDocuments: count(db, searchable),
      codes: count(db, "documents where embedded_by is not null"),
      vectors: count(db, "documents where embedded_by is not null"),
      vectorsOfDocuments: count(db, "documents where embedded_by is not null"),
    });
    const unread = `${searchable} and d.embedded_by is null`;
    const willBeRead = `${unread} and d.id in (select value from jobs, json_each(jobs.payload, '$.ids'))`;
    expect(count(db, willBeRead)).toBe(count(db, unread));
    // Whatever waits for its vector is named by a job: nothing is forgotten.
    const waiting = `${live} and m.embedded_by is null`;
    const named = `${waiting} and m.id in (select value from jobs, json_each(jobs.payload, '$.memory_ids'))`;
    expect(count(db, named)).toBe(count(db, waiting));
  } finally {
    db.close();
  }
}
