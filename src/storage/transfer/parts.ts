import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ExportFilter } from "../../core/ports/keeping/transfer.ts";
import type { TransferRecord } from "../../core/schema/keeping/transfer.ts";
import { int, ofFleet } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

/** How long an export may take. */
export const EXPORT_MAX_MS = 60 * 60_000;
/** Rows looked at at a time: few enough that nobody waits for them. */
export const ROWS_PER_PART = 200;

/** What is read of one export: all of one moment, however long it is read, where an engine can hold one. */
export interface Moment {
  read<T>(body: (work: Work) => Unit<T>): Promise<T>;
  close(): void;
}

/** The rows `t` of a part, of which those are read that pass the filter. */
export interface Part {
  readonly filter: ExportFilter;
  /** Holds for the tenant's rows of the part. */
  readonly isWithin: SQL;
}

interface Table {
  readonly table: string;
  /** The column that numbers its rows. */
  readonly number?: "seq" | "id";
  readonly rowsPerPart?: number;
  records(work: Work, part: Part): Unit<readonly TransferRecord[]>;
}

/** The records of a table, in the order of its rows. What passes no filter is walked past, not looked for, so that no part takes long. */
export async function* inParts(
  moment: Moment,
  filter: ExportFilter,
  { table, number = "seq", rowsPerPart = ROWS_PER_PART, records }: Table,
): AsyncGenerator<readonly TransferRecord[]> {
  const { tenant_id } = filter;
  const column = sql.raw(`t.${number}`);
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const part = await moment.read(function* (work) {
      const end = yield* row<{ last: number }>(sql`select ${column} as last from ${sql.raw(table)} t
        where ${work.dialect.tenant("t", tenant_id)} and ${column} > ${from}
        order by ${column} limit 1 offset ${int(rowsPerPart - 1)}`);
      const upTo = end ? sql`and ${column} <= ${end.last}` : sql``;
      const isWithin = sql`${work.dialect.belongs("t", tenant_id)} and ${column} > ${from} ${upTo}`;
      return { last: end?.last ?? null, found: yield* records(work, { filter, isWithin }) };
    });
    yield part.found;
    after = part.last;
  }
}

/** Holds for rows of the fleet that is asked for. */
export const isOfFleet = (table: string, { fleet_id }: ExportFilter): SQL =>
  fleet_id === undefined ? sql`true` : ofFleet(sql.raw(`${table}.fleet_id`), fleet_id);

/** Holds for memories that pass the filter, but for when they were written. */
export const isOfOwner = (table: string, filter: ExportFilter): SQL =>
  filter.agent_id === undefined
    ? isOfFleet(table, filter)
    : sql`${isOfFleet(table, filter)} and ${sql.raw(`${table}.agent_id`)} = ${filter.agent_id}`;
