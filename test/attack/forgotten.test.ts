import { Database } from "bun:sqlite";
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { Forgotten } from "../../src/core/schema/keeping/forget.ts";
import { documentsApi, withKey } from "../support/api/documents.ts";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { TENANT } from "../support/builders.ts";
import { cairnIn } from "../support/command-line.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";
import { sharedDatabase } from "../support/postgres/engine.ts";

/** Only against a hang. */
setDefaultTimeout(120_000);

const root = temporaryFolder();
afterAll(root.remove);
const NAME = "Zqvorbelina";

/** An engine with its tables laid open. */
interface Open extends InProcess {
  readonly run: (statement: string) => Promise<void>;
  /** Every row of every table, as text, after its table's name. */
  readonly dump: () => Promise<string[]>;
  readonly folder: string | null;
}

async function openSqlite(): Promise<Open> {
  const folder = join(root.path, "sqlite");
  const opened = await openApp({ folder });
  const db = new Database(join(folder, "cairn.db"), { readwrite: true });
  db.exec("pragma busy_timeout = 10000");
  const tables = () =>
    db
      .query<{ name: string }, []>(
        "select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow') and name <> 'sqlite_schema'",
      )
      .all();
  return {
    ...opened,
    folder,
    run: async (statement) => void db.exec(statement),
    dump: async () =>
      tables().flatMap(({ name }) =>
        db
          .query(`select * from "${name}"`)
          .all()
          .map((row) => `${name} ${JSON.stringify(row)}`),
      ),
  };
}

const Names = z.array(z.object({ name: z.string() }));
const Rows = z.array(z.object({ row: z.string() }));

async function openPostgres(): Promise<Open> {
  const openDatabase = await sharedDatabase();
  const { db } = await openDatabase();
  const flags = ["--database-url=postgres://in.this.process/cairn"];
  const opened = await openApp({ folder: "/dev/null/cairn", flags, openDatabase });
  const rows = async (statement: string): Promise<unknown> => {
    const found: unknown = await db.execute(sql.raw(statement));
    return z.object({ rows: z.unknown() }).parse(found).rows;
  };
  return {
    ...opened,
    folder: null,
    run: async (statement) => void (await rows(statement)),
    dump: async () => {
      const names = Names.parse(await rows("select tablename as name from pg_tables where schemaname = 'public'"));
      const told: string[] = [];
      for (const { name } of names)
        for (const { row } of Rows.parse(await rows(`select t::text as row from "${name}" t`)))
          told.push(`${name} ${row}`);
      return told;
    },
  };
}

/** What no call of ours writes on purpose, but callers and releases may have left there. */
const PLANTED = [
  `update agents set display_name = '${NAME} herself' where agent_id = 'agent-7'`,
  `insert into skill_poison (tenant_id, fleet_id, fingerprint, rejected_by, rejected_at, expires_at, reason)
     values ('${TENANT}', null, 'f', null, '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z', 'says ${NAME}')`,
  `insert into forge_runs (id, tenant_id, trigger, audit_id, requested_at, finished_at, traces, successes, failures,
     unknown, clusters, written, skipped, error) values ('r', '${TENANT}', 'manual', 1, '2026-01-01T00:00:00.000Z',
     '2026-01-01T00:00:00.000Z', 0, 0, 0, 0, '[{"doc_id": "forge/${NAME}"}]', 0, 0, 'at ${NAME}')`,
  `insert into imports (tenant_id, source, position, updated_at)
     values ('${TENANT}', 'notes of ${NAME}', 1, '2026-01-01T00:00:00.000Z')`,
];

/** Writes the name wherever a caller can put words. */
async function writeEverywhere({ client }: InProcess): Promise<void> {
  const key = await withKey(client, { agent_id: "agent-7", trust: 2, label: `${NAME}'s laptop` });
  await withKey(client, { agent_id: "agent-8", trust: 1, label: "another laptop" });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    client.call("POST", `/api/v1${path}`, { body: { tenant_id: TENANT, ...body }, headers });
  const content = (i: number) => `Statement number ${i} of the harbour office.`;
  const idempotent = { "Idempotency-Key": `${NAME}-1` };
  await key.call("POST", "/api/v1/memories", { body: { content: content(0) }, headers: idempotent });
  const fields = [
    { content: `It is ${NAME} who calls.` },
    { title: NAME },
    { source_uri: `https://example.org/${NAME}` },
    { run_id: `call with ${NAME}` },
    { metadata: { deep: [{ [NAME]: 1 }] } },
    { metadata: { tags: [NAME] } },
    { visibility: "scope_agent", agent_id: "agent-7", title: `private ${NAME}` },
  ];
  for (const [i, field] of fields.entries()) await post("/memories", { content: content(i + 1), ...field });
  const bulk = { items: [{ content: content(50), client_request_id: `${NAME}-row` }] };
  await post("/memories/bulk", bulk, { "X-Bulk-Attempt-Id": `attempt of ${NAME}` });
  const documents = documentsApi(client);
  await documents.put("letters", NAME, { summary: "A letter." });
  await documents.put(`of-${NAME}`, "one", { summary: "Another letter." });
  await documents.put("letters", "two", { summary: `To ${NAME}` });
  const entity = { entity_type: "person", canonical_name: NAME, aliases: [`${NAME} Junior`], attributes: { of: NAME } };
  await post("/entities/upsert", entity);
  await post("/entities/upsert", { entity_type: `kind of ${NAME}`, canonical_name: "The Office" });
  await post("/keystones", {
    doc_id: "ask",
    title: `Ask ${NAME}`,
    content: "Ask before.",
    scope: "tenant",
    weight: 50,
  });
}

async function forget({ client }: InProcess, match: string, dry_run = false): Promise<void> {
  for (let next: string | undefined; ; ) {
    const body = { tenant_id: TENANT, match, dry_run, next };
    const reply = await client.ok(Forgotten, "POST", "/api/v1/admin/forget", { body });
    if (reply.next === null) return;
    next = reply.next;
  }
}

const holding = (texts: readonly string[]) => texts.filter((text) => text.toLowerCase().includes(NAME.toLowerCase()));

describe.skipIf(isBinary).each([
  ["SQLite", openSqlite],
  ["Postgres", openPostgres],
])("a text that is forgotten, over %s", (_, open) => {
  test("is in no column of any table, and in no byte of the data folder", async () => {
    const opened = await open();
    const { app, client, settle, run, dump, folder } = opened;
    await writeEverywhere(opened);
    await settle();
    for (const statement of PLANTED) await run(statement);
    const tables = new Set(holding(await dump()).map((row) => row.split(" ", 1)[0] ?? ""));
    const NAMED = ["agents", "api_keys", "audit_log", "collections", "documents", "entities", "forge_runs", "imports"];
    expect([...tables]).toEqual(expect.arrayContaining([...NAMED, "kept_replies", "memories", "skill_poison"]));
    await forget(opened, NAME.toLowerCase(), true);
    expect(holding(await dump())).not.toEqual([]);
    await forget(opened, NAME.toLowerCase());
    await settle();
    expect(holding(await dump())).toEqual([]);
    const keys = z.object({ items: z.array(z.object({ label: z.string().nullable(), revoked_at: z.unknown() })) });
    const { items } = await client.ok(keys, "GET", "/api/v1/keys", { query: { tenant_id: TENANT } });
    expect(items.map(({ label }) => label).sort()).toEqual(["another laptop", null]);
    expect(items.map(({ revoked_at }) => revoked_at)).toEqual([null, null]);
    await app.stop();
    if (folder === null) return;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString("latin1"));
    expect(holding(bytes)).toEqual([]);
  });
});

test("`cairn forget --match` takes the labels of keys", async () => {
  const data = join(root.path, "command");
  const cairn = cairnIn(data, root.path);
  await cairn(["add", "The harbour office opens at seven."]);
  expect(await cairn(["keys", "create", "--agent", "anna", "--label", `${NAME}'s laptop`])).toMatchObject({ code: 0 });
  const file = () => readFileSync(join(data, "cairn.db")).includes(NAME);
  expect(file()).toBe(true);
  expect((await cairn(["forget", "--match", NAME, "--dry-run"])).out).toContain("keys, revoked, or their labels: 1");
  expect(await cairn(["forget", "--match", NAME, "--yes"])).toMatchObject({ code: 0 });
  expect(file()).toBe(false);
});
