import type { Database } from "bun:sqlite";
import type { LostRows } from "../../../core/schema/integrity.ts";

/** Rounds of mending: a row that goes may leave others behind that referred to it. */
const ROUNDS_MAX = 10;

/** Rebuilds what the memories themselves tell of lost owners, then takes out what refers to rows that are gone. */
export function mendReferences(db: Database): LostRows[] {
  db.exec(`
    insert or ignore into agents (seq, tenant_id, agent_id, fleet_id, created_at, updated_at)
      select author, tenant_id, agent_id, fleet_id, min(created_at), min(created_at) from memories
      where author not in (select seq from agents) group by author;
    insert or ignore into audiences (id, tenant_id, kind, owner)
      select audience, tenant_id, visibility,
        case visibility when 'scope_agent' then agent_id when 'scope_team' then coalesce(fleet_id, '') else '' end
      from memories where audience not in (select id from audiences) group by audience;`);
  const gone = new Map<string, number>();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const broken = db.query<{ table: string; rowid: number | null }, []>("pragma foreign_key_check").all();
    if (broken.length === 0) break;
    for (const { table, rowid } of broken) {
      if (rowid === null) removeUnfounded(db, table);
      else db.query(`delete from ${table} where rowid = ?`).run(rowid);
      gone.set(table, (gone.get(table) ?? 0) + 1);
    }
  }
  return [...gone].map(([table, rows]) => ({ table, rows, ids: [] }));
}

/** Rows without a number: the table names what it refers to. */
function removeUnfounded(db: Database, table: string): void {
  const keys = db
    .query<{ table: string; from: string; to: string }, []>(
      `select "table", "from", "to" from pragma_foreign_key_list('${table}')`,
    )
    .all();
  for (const key of keys) db.exec(`delete from ${table} where ${key.from} not in (select ${key.to} from ${key.table})`);
}
