import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { z } from "zod";
import { RECURRING_KINDS } from "../../../src/core/schema/job.ts";
import { TENANT } from "./client.ts";
import type { Ledger, OwnRow, SharedRow } from "./ledger.ts";
import { hold, violate } from "./ledger.ts";
import type { Wire } from "./wire.ts";

const PAGE = 500;
/** Work of which nothing was done for so long has come to a standstill; how long all of it takes is the machine's affair. */
const STANDSTILL_MS = 60_000;
const POLL_MS = 200;

const Page = z.object({
  items: z.array(
    z.object({ id: z.string(), content: z.string(), status: z.string(), metadata: z.looseObject({}).nullable() }),
  ),
  next_cursor: z.string().nullable(),
});
type ListedRow = z.infer<typeof Page>["items"][number];
const Count = z.object({ count: z.number() });
const Stats = z.object({ total: z.number(), deleted: z.number() });

/** Opens the data file beside the server, or after it. */
const openFile = (folder: string, readonly: boolean): Database =>
  new Database(join(folder, "cairn.db"), readonly ? { readonly: true } : {});

/** Rows that wait for their vector; asked tenant by tenant, which an index answers. */
const UNEMBEDDED = `select count(*) as n from tenant_usage cross join memories using (tenant_id)
  where embedded_by is null and deleted_at is null`;
/** What is still to be done: jobs that have an end, and rows that wait for their vector. */
const LEFT = `select (select count(*) from jobs where kind not in (select value from json_each(?1))) + (${UNEMBEDDED}) as n`;
const ENDLESS = JSON.stringify(RECURRING_KINDS);

/** Resolves with the milliseconds until no work is left; Infinity when nothing more of it is done. */
export const untilQuiet = (folder: string): Promise<number> => untilNone(folder, LEFT, [ENDLESS]);

/** The same until every row has its vector. */
export const untilEmbedded = (folder: string): Promise<number> => untilNone(folder, UNEMBEDDED, []);

async function untilNone(folder: string, sql: string, params: string[]): Promise<number> {
  const db = openFile(folder, true);
  const work = db.query<{ n: number }, string[]>(sql);
  const startedAt = performance.now();
  let [least, leastAt] = [Number.POSITIVE_INFINITY, startedAt];
  try {
    for (;;) {
      const [left, now] = [work.get(...params)?.n ?? 0, performance.now()];
      if (left === 0) return Math.round(now - startedAt);
      if (left < least) [least, leastAt] = [left, now];
      else if (now - leastAt > STANDSTILL_MS) return Number.POSITIVE_INFINITY;
      await Bun.sleep(POLL_MS);
    }
  } finally {
    db.close();
  }
}

/** Holds the rows of acknowledged calls to what the file holds of them, whatever else it holds. */
export function checkRows(folder: string, ledger: Ledger): void {
  const db = openFile(folder, true);
  const read = db.query<StoredRow, [string]>("select id, content, status, metadata from memories where id = ?");
  const stored = (id: string): ListedRow | undefined => {
    const row = read.get(id);
    return row ? { ...row, metadata: row.metadata === null ? null : JSON.parse(row.metadata) } : undefined;
  };
  for (const row of ledger.own.values()) checkOwn(ledger, row, stored(row.id));
  for (const row of ledger.shared.values()) checkShared(ledger, row, stored(row.id));
  db.close();
}
type StoredRow = Omit<ListedRow, "metadata"> & { readonly metadata: string | null };

/** What calls that were never answered may have done: rows that they named, and rows that they may have written. */
export interface Unanswered {
  readonly ids: ReadonlySet<string>;
  readonly rows: number;
}

/** Holds what the server lists, counts and adds up to the book of acknowledged calls. */
export async function checkReplies(
  wire: Wire,
  ledger: Ledger,
  unanswered: Unanswered = { ids: new Set(), rows: 0 },
): Promise<void> {
  const listed = await listAll(wire);
  const isKnown = ({ id }: { readonly id: string }) => !unanswered.ids.has(id);
  for (const row of ledger.own.values().filter(isKnown)) checkOwn(ledger, row, listed.get(row.id));
  for (const row of ledger.shared.values().filter(isKnown)) checkShared(ledger, row, listed.get(row.id));
  const unknown = [...listed.keys()].filter((id) => !ledger.own.has(id) && !ledger.shared.has(id));
  hold(ledger, unknown.length <= unanswered.rows, () => `${unknown.length} rows are listed that nobody wrote`);
  const rows = [...listed.values()];
  const deleted = rows.filter(({ status }) => status === "deleted").length;
  const live = rows.filter(({ status }) => ["active", "confirmed", "pending"].includes(status)).length;
  const query = { tenant_id: TENANT };
  const { count } = Count.parse((await wire("check", "GET", "/memories/count", { query, expected: [200] })).body);
  hold(ledger, count === live, () => `count says ${count}, the list has ${live} live rows`);
  const all = { ...query, include_deleted: true };
  const stats = Stats.parse((await wire("check", "GET", "/memories/stats", { query: all, expected: [200] })).body);
  const expected = { total: rows.length - deleted, deleted };
  const isRight = stats.total === expected.total && stats.deleted === expected.deleted;
  hold(ledger, isRight, () => `stats say ${JSON.stringify(stats)}, the list ${JSON.stringify(expected)}`);
}

async function listAll(wire: Wire): Promise<Map<string, ListedRow>> {
  const listed = new Map<string, ListedRow>();
  const query = { tenant_id: TENANT, limit: PAGE, include_deleted: true };
  for (let cursor: string | null = ""; cursor !== null; ) {
    const here = cursor === "" ? query : { ...query, cursor };
    const page = Page.parse((await wire("check", "GET", "/memories", { query: here, expected: [200] })).body);
    for (const row of page.items) listed.set(row.id, row);
    cursor = page.next_cursor;
  }
  return listed;
}

function checkOwn(ledger: Ledger, row: OwnRow, listed: ListedRow | undefined): void {
  if (!listed) {
    violate(ledger, `the acknowledged row ${row.mark} is gone`);
    return;
  }
  const isDeleted = listed.status === "deleted";
  hold(ledger, isDeleted === row.deleted, () => `${row.mark} is ${listed.status}, deleted: ${row.deleted}`);
  hold(ledger, listed.content === row.content, () => `${row.mark} holds '${listed.content}', not '${row.content}'`);
  checkMetadata(ledger, row, listed);
}

function checkShared(ledger: Ledger, row: SharedRow, listed: ListedRow | undefined): void {
  if (!listed) {
    violate(ledger, `the shared row ${row.id} is gone`);
    return;
  }
  hold(ledger, row.contents.has(listed.content), () => `the shared row ${row.id} holds what nobody sent`);
  checkMetadata(ledger, row, listed);
}

function checkMetadata(ledger: Ledger, row: OwnRow | SharedRow, { id, metadata, status }: ListedRow): void {
  for (const [key, value] of row.metadata) {
    hold(ledger, metadata?.[key] === value, () => `${id}: metadata.${key} is ${metadata?.[key]}, not ${value}`);
  }
  // What was deleted before it had its vector never gets one.
  const mayWait = status === "deleted";
  const strange = Object.keys(metadata ?? {}).filter(
    (key) => !row.metadata.has(key) && !(mayWait && key === "embedding_pending"),
  );
  hold(ledger, strange.length === 0, () => `${id} holds ${strange} in its metadata, which nobody left there`);
}

/** Queries of one number, each beside the query whose number it must equal. */
const EQUAL = {
  "usage counter = rows that are not deleted": [
    "select coalesce(sum(memories_stored), 0) as n from tenant_usage",
    "select count(*) as n from memories where deleted_at is null",
  ],
  "keyword entries = rows that are not deleted": [
    "select count(*) as n from memory_words",
    "select count(*) as n from memories where deleted_at is null",
  ],
  "keyword entries without a row = 0": [
    "select count(*) as n from memory_words where rowid not in (select words_row from memories where deleted_at is null)",
    "select 0 as n",
  ],
  "rows without a vector = 0": [
    "select count(*) as n from memories where deleted_at is null and embedded_by is null",
    "select 0 as n",
  ],
  "codes = embedded rows that are not deleted": [
    "select count(*) as n from memory_codes where seq > 0",
    "select count(*) as n from memories where deleted_at is null and embedded_by is not null",
  ],
  "codes without a row = 0": [
    "select count(*) as n from memory_codes where abs(seq) not in (select seq from memories where deleted_at is null)",
    "select 0 as n",
  ],
  "exact vectors of rows that are not deleted = embedded rows": [
    "select count(*) as n from memory_vectors join memories using (seq) where deleted_at is null and embedder_id = embedded_by",
    "select count(*) as n from memories where deleted_at is null and embedded_by is not null",
  ],
  "audited creations = rows": [
    "select count(distinct target_id) as n from audit_log where action = 'memory.create'",
    "select count(*) as n from memories",
  ],
  "audited deletions = deleted rows": [
    "select count(*) as n from audit_log where action = 'memory.delete'",
    "select count(*) as n from memories where deleted_at is not null",
  ],
} as const;

/** Holds the data file to itself, once the server is gone: pages, references, counters and every index. */
export function checkFile(folder: string, ledger: Ledger): void {
  const db = openFile(folder, false);
  db.loadExtension(getLoadablePath());
  const number = (sql: string): number => db.query<{ n: number }, []>(sql).get()?.n ?? Number.NaN;
  for (const [promise, [left, right]] of Object.entries(EQUAL)) {
    const [a, b] = [number(left), number(right)];
    hold(ledger, a === b, () => `${promise}: ${a} and ${b}`);
  }
  const pages = db.query<{ integrity_check: string }, []>("pragma integrity_check").all();
  hold(ledger, pages[0]?.integrity_check === "ok", () => `integrity_check: ${JSON.stringify(pages.slice(0, 3))}`);
  const orphans = db.query("pragma foreign_key_check").all();
  hold(ledger, orphans.length === 0, () => `${orphans.length} rows refer to nothing`);
  try {
    db.exec("insert into memory_words (memory_words) values ('integrity-check')");
  } catch (error) {
    violate(ledger, `the keyword index is damaged: ${error}`);
  }
  db.close();
}
