import type { Clock } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type { KeptTextStore, KeptWords } from "../../../core/ports/keeping/kept-texts.ts";
import { KEPT_TEXTS_MAX } from "../../../core/ports/keeping/kept-texts.ts";
import type { KeptTextRow } from "../../common/kept-texts.ts";
import { seenThen } from "../../common/kept-texts.ts";
import type { ChangedBy } from "../conflicts/apply-status.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { queueAfter } from "../jobs/queue.ts";
import { findRow } from "./read.ts";
import type { MemoryRow } from "./rows.ts";

/** Texts that edits replaced, over SQLite. */
export const sqliteKeptTextStore = (db: Engine, clock: Clock, jobAdded: () => void): KeptTextStore => ({
  of: (key, read_scope) =>
    guarded(() => {
      const memory = findRow(db.drizzleRead, key, read_scope);
      return memory ? seenThen(textsOf(db, memory), memory, read_scope) : [];
    }),
  tenants: () => guarded(() => tenantsOf(db)),
  removeBefore: async (tenant_id, before, limit) => {
    const removed = await guarded(() =>
      db.write(() => {
        const { changes } = db.writeConnection
          .query<unknown, [string, string, number]>(REMOVE_OLD)
          .run(tenant_id, before, limit);
        if (changes > 0) queueAfter(db, { kind: "memories_erased", now_ms: clock.now() });
        return changes;
      }),
    );
    jobAdded();
    return removed;
  },
});

/** Keeps what a row says until now, inside the transaction that changes it. */
export function keepText(db: Connections, row: MemoryRow, { content, title }: KeptWords, by: ChangedBy): void {
  const id = newId({ now: () => by.nowMs });
  db.writeConnection
    .query<unknown, (string | number | null)[]>(KEEP)
    .run(id, row.tenant_id, row.seq, content, title, row.visibility, by.now, by.actor.agent_id);
  db.writeConnection.query<unknown, [number, number]>(REMOVE_BEYOND).run(row.seq, KEPT_TEXTS_MAX);
}

/** Takes away what a row said before, inside the caller's transaction. */
export const removeTexts = (db: Connections, memory_seq: number): void => {
  db.writeConnection.query<unknown, [number]>("delete from kept_texts where memory_seq = ?").run(memory_seq);
};

const KEEP = `insert into kept_texts
  (id, tenant_id, memory_seq, content, title, visibility, replaced_at, replaced_by) values (?, ?, ?, ?, ?, ?, ?, ?)`;
const REMOVE_BEYOND = `delete from kept_texts where seq in (
  select seq from kept_texts where memory_seq = ? order by seq desc limit -1 offset ?)`;
const REMOVE_OLD = `delete from kept_texts where seq in (
  select seq from kept_texts where tenant_id = ? and replaced_at < ? limit ?)`;

const textsOf = (db: Connections, { seq }: MemoryRow): KeptTextRow[] =>
  db.readConnection
    .query<KeptTextRow, [number]>(
      `select id, content, title, visibility, replaced_at, replaced_by from kept_texts
      where memory_seq = ? order by seq desc`,
    )
    .all(seq);

function tenantsOf(db: Connections): string[] {
  const next = db.readConnection.query<{ tenant_id: string | null }, [string]>(
    "select min(tenant_id) as tenant_id from kept_texts where tenant_id > ?",
  );
  const found: string[] = [];
  for (let last = next.get("")?.tenant_id ?? null; last !== null; last = next.get(last)?.tenant_id ?? null)
    found.push(last);
  return found;
}
