import type { SQL } from "drizzle-orm";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { Work } from "../engine/work.ts";
import type { Read } from "./moment.ts";

/** Rows read at a time: few enough that none of them takes long. */
export const ROWS_PER_PART = 200;

export type Numbered<Row> = Row & { readonly seq: number };

/** A query whose rows are read a part at a time, by their numbers. */
export interface Parts<Row> {
  readonly rowsPerPart?: number;
  /** So many rows whose numbers are above another, in order. */
  select(after: number, limit: number): SQL;
  toRecords(rows: readonly Numbered<Row>[], work: Work): Promise<readonly TransferRecord[]>;
}

/** The records of a query, a part at a time. */
export async function* inParts<Row extends object>(
  read: Read,
  { rowsPerPart = ROWS_PER_PART, select, toRecords }: Parts<Row>,
): AsyncGenerator<readonly TransferRecord[]> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const part = await read(async (work) => {
      const rows = await work.rows<Numbered<Row>>(select(from, rowsPerPart));
      const last = rows.length < rowsPerPart ? null : (rows.at(-1)?.seq ?? null);
      return { last, records: await toRecords(rows, work) };
    });
    yield part.records;
    after = part.last;
  }
}
