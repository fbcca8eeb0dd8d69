import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { SIDES } from "../common/sides.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Walk } from "./slices.ts";

/** Holds for an entry `x` whose number a row has, whatever became of it. */
export const hasRow = ({ tenant }: SqlDialect, table: string, number: string, also = sql`true`): SQL => sql`exists (
  select 1 from ${sql.raw(table)} o
  where ${tenant("o", sql`x.tenant_id`)} and o.seq = ${sql.raw(number)} and ${also})`;

const IS_LIVE = { memories: sql`o.deleted_at is null`, documents: sql`o.summary is not null` };

/** The same while search may find the row. */
export const hasLiveRow = (dialect: SqlDialect, table: keyof typeof IS_LIVE, number: string, also = sql`true`): SQL =>
  hasRow(dialect, table, number, sql`${IS_LIVE[table]} and ${also}`);

/** Entries `x` that are made of rows. */
export interface Derived {
  readonly index: string;
  /** Where they are listed. */
  readonly over: Walk;
  /** The column of the index that has what they are listed by. */
  readonly column: string;
  /** Holds for those whose row is there. */
  readonly isKept: SQL;
}

/** All that stands under the numbers of rows, but for the words of memories. */
export function derivedOf(dialect: SqlDialect): readonly Derived[] {
  const filed = (table: keyof typeof IS_LIVE) => (index: string) => {
    const { column, ...over } = dialect.entriesOf(index);
    // Under the negative of a number stands a copy of its code.
    return { index, over, column, isKept: hasLiveRow(dialect, table, `abs(x.${over.key})`) };
  };
  const named = (index: string, isKept = hasLiveRow(dialect, "memories", "x.memory_seq")): Derived => {
    const key = "memory_seq";
    return { index, over: { table: index, key }, column: key, isKept };
  };
  return [
    ...Object.values(SIDES)
      .map(({ memory_codes }) => memory_codes)
      .map(filed("memories")),
    ...[
      "document_words",
      ...Object.values(SIDES).flatMap(({ document_codes, document_vectors }) => [document_codes, document_vectors]),
    ].map(filed("documents")),
    named("memory_claims"),
    named("memory_entities"),
    // A number that is not above nothing stands for no row: what an entity is called by itself.
    named("entity_aliases", sql`(x.memory_seq <= 0 or ${hasLiveRow(dialect, "memories", "x.memory_seq")})`),
  ];
}
