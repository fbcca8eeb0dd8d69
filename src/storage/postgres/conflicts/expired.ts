import { sql } from "drizzle-orm";
import type { ChangedBy } from "../../common/changed-by.ts";
import type { Engine, Work } from "../engine/work.ts";
import { retractExpiredOf } from "./retract.ts";

/** Expired rows whose findings are taken back in one step at most. */
const EXPIRED_PER_STEP = 100;

interface Expiring {
  readonly tenant_id: string;
  readonly seq: number;
  readonly expires_at: string;
}

/** Takes back what expired rows had found, a transaction a tenant; returns when the next one expires, in epoch milliseconds. */
export async function retractExpired(engine: Engine, by: ChangedBy): Promise<number | null> {
  const found = await engine.look(expiringRows);
  const isOver = ({ expires_at }: Expiring) => expires_at <= by.now;
  const over = found.filter(isOver);
  for (const [tenant_id, rows] of Map.groupBy(over, (row) => row.tenant_id)) {
    const seqs = rows.map(({ seq }) => seq);
    await engine.write(tenant_id, (work) => retractExpiredOf(work, seqs, by));
  }
  const next = found.find((row) => !isOver(row));
  if (next) return Date.parse(next.expires_at);
  return over.length > EXPIRED_PER_STEP ? by.nowMs : null;
}

/** Rows that count against others and end one day, those that end first before the others. */
const expiringRows = (work: Work): Promise<Expiring[]> =>
  work.rows<Expiring>(sql`select distinct m.tenant_id, m.seq, m.expires_at from findings f
    join memories m on m.tenant_id = f.tenant_id and m.seq = f.newer_seq
    where f.retracted_at is null and m.expires_at is not null
    order by m.expires_at limit ${EXPIRED_PER_STEP + 1}`);
