import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { HeldText } from "../../../core/ports/keeping/forgetting.ts";
import type { By } from "../../documents/write.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** Rows of a tenant after one number, up to another. */
interface Span {
  readonly tenant_id: string;
  readonly after: number;
  readonly to: number;
}

/** How rows of a kind are found by number, and erased inside the caller's transaction. */
export interface HolderTable {
  readonly table: SQL;
  readonly number: SQL;
  /** Numbers looked at in one step. */
  readonly perStep: number;
  /** Reads `number`, `id`, `target` and `text`; ends in a `where`. */
  select(span: Span): SQL;
  /** Columns of the filter; null where rows have none, so that a filter by it matches nothing. */
  readonly fleet: SQL | null;
  readonly changed: SQL;
  erase(work: TenantWork, by: By, rows: readonly HeldText[]): Promise<unknown>;
}

/** Condition on the number of a row. */
export const within = (column: SQL, { after, to }: Span): SQL => sql`${column} > ${after} and ${column} <= ${to}`;
/** The numbers of rows, as a statement takes them. */
export const numbersOf = (rows: readonly HeldText[]): SQL => intArray(rows.map(({ number }) => number));
