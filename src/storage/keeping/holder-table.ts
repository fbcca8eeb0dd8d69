import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { HeldText } from "../../core/ports/keeping/forgetting.ts";
import type { By } from "../documents/write.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";

/** Rows of a tenant after one number, up to another. */
export interface Span {
  readonly tenant_id: string;
  readonly after: number;
  readonly to: number;
}

/** How rows `h` of a kind are found by number, and erased inside the caller's transaction. */
export interface HolderTable {
  readonly table: SQL;
  number(dialect: SqlDialect): SQL;
  /** Numbers looked at in one step. */
  readonly perStep: number;
  /** Whether they are looked up among those of the tenant, in either engine. */
  readonly isOfTenant?: boolean;
  /** Reads `number`, `id`, `target` and `text`; ends in a `where`. */
  select(dialect: SqlDialect, span: Span): SQL;
  /** Columns of the filter; null where rows have none, so that a filter by it matches nothing. */
  readonly fleet: SQL | null;
  readonly changed: SQL;
  erase(work: ChangeWork, by: By, rows: readonly HeldText[]): Unit<unknown>;
}

/** Condition on the number of a row. */
export const within = (column: SQL, { after, to }: Span): SQL => sql`${column} > ${after} and ${column} <= ${to}`;

/** What is done with rows of a table that are known by their numbers, in a column of it. */
interface ByNumber {
  readonly table: string;
  readonly column: SQL;
  /** Up to which of them. */
  readonly statement: SQL;
  /** Whether the numbers are the tenant's own. */
  readonly isOfTenant?: boolean | undefined;
}

/** Holds for rows of a tenant that are found by a number: of all tenants, or one that its own rows are counted by. */
export const ofTenant = (dialect: SqlDialect, table: string, tenant_id: string, isOfTenant = false): SQL =>
  isOfTenant ? sql`${sql.raw(table)}.tenant_id = ${tenant_id}` : dialect.belongs(table, tenant_id);

export const byNumber = (
  { dialect, tenant_id }: ChangeWork,
  { table, column, statement, isOfTenant }: ByNumber,
  rows: readonly HeldText[],
): Unit<number> =>
  run(sql`${statement} where ${ofTenant(dialect, table, tenant_id, isOfTenant)}
    and ${dialect.isIn(column, numbersOf(rows))}`);

export const numbersOf = (rows: readonly HeldText[]): number[] => rows.map(({ number }) => number);
