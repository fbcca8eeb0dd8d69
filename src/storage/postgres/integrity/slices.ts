import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Work } from "../engine/work.ts";

/** A table that is gone through by the numbers of its rows. */
export type Walked = "memories" | "documents" | "entities";

/** Rows whose number is above one and at most another; of one tenant, or of all. */
export interface Slice {
  readonly from: number;
  readonly to: number;
  readonly tenant: string | null;
}

export interface Walk {
  readonly table: Walked;
  readonly size: number;
  readonly tenant: string | null;
}

/** The next slice of so many rows, of those whose number is above another; null when there are none. */
export async function nextSlice(work: Work, { table, size, tenant }: Walk, after: number): Promise<Slice | null> {
  const found = await work.row<{ last: number | null }>(sql`select max(seq) as last from (
    select seq from ${sql.raw(table)} where seq > ${after} and ${ofTenant(sql`tenant_id`, tenant)}
    order by seq limit ${size}) part`);
  return found?.last == null ? null : { from: after, to: found.last, tenant };
}

/** All slices of a table. */
export async function slicesOf(work: Work, walk: Walk): Promise<Slice[]> {
  const slices: Slice[] = [];
  for (let next = await nextSlice(work, walk, 0); next; next = await nextSlice(work, walk, next.to)) slices.push(next);
  return slices;
}

/** Holds for the rows of a slice, by whatever name their table has in a statement. */
export function within(table: string, { from, to, tenant }: Slice): SQL {
  const row = sql.raw(table);
  return sql`${row}.seq > ${from} and ${row}.seq <= ${to} and ${ofTenant(sql`${row}.tenant_id`, tenant)}`;
}

/** Holds for the rows of a tenant; for all where none is asked for. */
export const ofTenant = (column: SQL, tenant: string | null): SQL =>
  tenant === null ? sql`true` : sql`${column} = ${tenant}`;
