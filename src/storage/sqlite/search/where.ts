import type { SQL } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { memoryWhere } from "../../memories/filters.ts";
import { sqliteDialect } from "../units/dialect.ts";
import { render } from "../units/render.ts";

/** A predicate as text and values, for statements that are written out. */
export interface WhereText {
  readonly sql: string;
  readonly params: (string | number)[];
}

/** The predicate of a filter over memories as text and values. */
export const memoryWhereText = (filter: MemoryFilter): WhereText => whereText(memoryWhere(sqliteDialect, filter));

/** A predicate as text and values. */
export function whereText(where: SQL): WhereText {
  const { text, bound } = render(where);
  // Safe: what filters hold are texts and numbers.
  return { sql: text, params: bound as (string | number)[] };
}
