import { sql } from "drizzle-orm";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf, TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { Read } from "./moment.ts";
import type { Parts } from "./read-parts.ts";
import { inParts } from "./read-parts.ts";

type FindingRow = Omit<RecordOf<"finding">, "record">;

/** The findings whose two memories pass the filter, a part at a time: about texts as they are now, standing or taken back. */
export const readFindings = (
  read: Read,
  filter: ExportFilter,
  rowsPerPart: number,
): AsyncGenerator<readonly TransferRecord[]> => inParts(read, { ...findings(filter), rowsPerPart });

const findings = (filter: ExportFilter): Parts<FindingRow> => ({
  select: (after, limit) => sql`select f.id as seq, n.id as newer_id, o.id as older_id, f.status, f.rule, f.confidence,
      f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at, f.retracted_at, f.retracted_why,
      f.detected_status, f.review, f.reviewed_at, f.reviewed_by
    from findings f
    join memories n on n.tenant_id = f.tenant_id and n.seq = f.newer_seq and n.deleted_at is null
      and n.content_hash = f.newer_hash
    join memories o on o.tenant_id = f.tenant_id and o.seq = f.older_seq and o.deleted_at is null
      and o.content_hash = f.older_hash
    where f.tenant_id = ${filter.tenant_id} and f.id > ${after} and ${isWithin("n", filter)} and ${isWithin("o", filter)}
    order by f.id limit ${limit}`,
  toRecords: async (rows) => rows.map(({ seq: _, ...finding }) => ({ record: "finding", ...finding })),
});

function isWithin(table: "n" | "o", { fleet_id, agent_id, created_after, created_before }: ExportFilter) {
  const row = sql.raw(table);
  return sql.join(
    [
      sql`true`,
      ...(fleet_id === undefined ? [] : [sql`${row}.fleet_id = ${fleet_id}`]),
      ...(agent_id === undefined ? [] : [sql`${row}.agent_id = ${agent_id}`]),
      ...(created_after === undefined ? [] : [sql`${row}.created_at >= ${created_after}`]),
      ...(created_before === undefined ? [] : [sql`${row}.created_at < ${created_before}`]),
    ],
    sql` and `,
  );
}
