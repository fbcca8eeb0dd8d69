import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf, TransferRecord } from "../../../core/schema/keeping/transfer.ts";

type FindingRow = Omit<RecordOf<"finding">, "record"> & { readonly id: number };

const isWithin = (row: string): string => `(?3 is null or ${row}.fleet_id = ?3) and (?4 is null or ${row}.agent_id = ?4)
  and (?5 is null or ${row}.created_at >= ?5) and (?6 is null or ${row}.created_at < ?6)`;

/** Findings about texts as they are now, standing or taken back. */
const FINDINGS = `select f.id, n.id as newer_id, o.id as older_id, f.status, f.rule, f.confidence,
    f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at, f.retracted_at, f.retracted_why,
    f.detected_status, f.review, f.reviewed_at, f.reviewed_by
  from findings f
  join memories n on n.seq = f.newer_seq and n.tenant_id = ?1 and n.deleted_at is null and n.content_hash = f.newer_hash
  join memories o on o.seq = f.older_seq and o.tenant_id = ?1 and o.deleted_at is null and o.content_hash = f.older_hash
  where f.id >= ?2 and f.id < ?7 and ${isWithin("n")} and ${isWithin("o")}
  order by f.id`;

/** The findings whose two memories pass the filter, a part at a time. */
export function* readFindings(
  db: Database,
  { tenant_id, fleet_id, agent_id, created_after, created_before }: ExportFilter,
  rowsPerPart: number,
): Generator<readonly TransferRecord[]> {
  const some = db.query<FindingRow, SQLQueryBindings[]>(FINDINGS);
  const last = db.query<{ id: number | null }, []>("select max(id) as id from findings").get()?.id ?? 0;
  const wanted = [fleet_id ?? null, agent_id ?? null, created_after ?? null, created_before ?? null];
  for (let from = 0; from <= last; from += rowsPerPart) {
    const rows = some.all(tenant_id, from, ...wanted, from + rowsPerPart);
    yield rows.map(({ id: _, ...finding }) => ({ record: "finding", ...finding }));
  }
}
