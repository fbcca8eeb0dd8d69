import type { Database } from "bun:sqlite";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { Member } from "../../common/members.ts";
import { membersOf } from "../../common/members.ts";
import type { Slice } from "./slices.ts";
import { within } from "./slices.ts";

interface Row {
  readonly seq: number;
  readonly tenant_id: string;
  readonly collection: string;
}
type MemberRow = Row & Member;

/** Documents of a slice that are not indexed as their data has it, and indexed members of documents that are gone. */
export function misindexed(db: Database, slice: Slice, tenant: string | null): number {
  const read = <T>(columns: string, table: string) =>
    db
      .query<T, [Record<string, number | string | null>]>(
        `select ${columns} from ${table} where ${within("seq")} and ($tenant is null or tenant_id = $tenant) order by seq`,
      )
      .all({ ...slice, $tenant: tenant });
  // In one transaction, so that nothing is written between the two.
  const [documents, members] = db.transaction(
    () =>
      [
        read<Row & { data: string }>("seq, tenant_id, collection, data", "documents"),
        read<MemberRow>("seq, tenant_id, collection, name, value, rank, number, text", "document_members"),
      ] as const,
  )();
  const indexed = Map.groupBy(members, ({ seq }) => seq);
  const wrong = documents.filter((row) => {
    const found = indexed.get(row.seq) ?? [];
    indexed.delete(row.seq);
    return !isSame(row, found);
  });
  return wrong.length + indexed.size;
}

function isSame(row: Row & { data: string }, found: readonly MemberRow[]): boolean {
  // Safe: the column holds only what was written as the data of a document.
  const expected = membersOf(JSON.parse(row.data) as JsonObject);
  const marks = new Set(found.map(markOf));
  return marks.size === expected.length && expected.every((member) => marks.has(markOf({ ...row, ...member })));
}

const markOf = ({ tenant_id, collection, name, value, rank, number, text }: Omit<MemberRow, "seq">): string =>
  JSON.stringify([tenant_id, collection, name, value, rank, number, text]);
