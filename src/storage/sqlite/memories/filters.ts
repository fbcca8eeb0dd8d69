import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import * as shared from "../../memories/filters.ts";
import { sqliteDialect } from "../units/dialect.ts";

/** The predicate of a filter. */
export const memoryWhere = (filter: MemoryFilter): SQL => shared.memoryWhere(sqliteDialect, filter);

const dialect = new SQLiteSyncDialect();

/** The same predicate as text and values, for statements that are written out. */
export const memoryWhereText = (filter: MemoryFilter): WhereText => whereText(memoryWhere(filter));

export interface WhereText {
  readonly sql: string;
  readonly params: (string | number)[];
}

/** A predicate as text and values, for statements that are written out. */
export function whereText(where: SQL): WhereText {
  const { sql, params } = dialect.sqlToQuery(where);
  // Safe: what filters hold are texts and numbers.
  return { sql, params: params as (string | number)[] };
}
