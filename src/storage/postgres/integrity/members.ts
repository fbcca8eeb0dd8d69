import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { Member } from "../../common/members.ts";
import { indexedMembers } from "../../documents/members.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import type { Slice } from "./slices.ts";
import { within } from "./slices.ts";

interface Row {
  readonly seq: number;
  readonly collection: string;
  readonly data: JsonObject;
}
type MemberRow = Member & Pick<Row, "seq" | "collection">;

/** Documents of a slice that are not indexed as their data has it. All reads are of one moment. */
export async function misindexed(work: Work, slice: Slice): Promise<number> {
  const documents = await work.rows<Row>(
    sql`select d.seq, d.collection, d.data from documents d where ${within("d", slice)}`,
  );
  const members = await work.rows<MemberRow>(sql`
    select m.seq, m.collection, m.name, m.value, m.rank, m.number, m.text from documents d
    join document_members m on m.tenant_id = d.tenant_id and m.seq = d.seq where ${within("d", slice)}`);
  const indexed = Map.groupBy(members, ({ seq }) => seq);
  return documents.filter((row) => !isSame(row, indexed.get(row.seq) ?? [])).length;
}

function isSame({ collection, data }: Row, found: readonly MemberRow[]): boolean {
  const expected = new Set(indexedMembers(postgresDialect, data).map((member) => markOf({ collection, ...member })));
  const marks = new Set(found.map(markOf));
  return marks.size === expected.size && [...expected].every((mark) => marks.has(mark));
}

const markOf = ({ collection, name, value, rank, number, text }: Omit<MemberRow, "seq">): string =>
  JSON.stringify([collection, name, value, rank, number, text]);
