import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Member } from "../common/members.ts";
import { indexedMembers } from "../documents/members.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Slice } from "./slices.ts";
import { within } from "./slices.ts";

interface Row {
  readonly seq: number;
  readonly tenant_id: string;
  readonly collection: string;
  readonly data: unknown;
}
type MemberRow = Member & Omit<Row, "data">;

/** Documents of a slice that are not indexed as their data has it. All reads are of one moment. */
export function* misindexed({ dialect }: Work, slice: Slice, tenant: string | null): Unit<number> {
  const isOwn = tenant === null ? sql`true` : dialect.belongs("d", tenant);
  const some = sql`${within("d.seq", slice)} and ${isOwn}`;
  const documents = yield* rows<Row>(
    sql`select d.seq, d.tenant_id, d.collection, d.data from documents d where ${some}`,
  );
  const members = yield* rows<MemberRow>(sql`
    select m.seq, m.tenant_id, m.collection, m.name, m.value, m.rank, m.number, m.text from documents d
    join document_members m on ${dialect.tenant("m", sql`d.tenant_id`)} and m.seq = d.seq where ${some}`);
  const indexed = Map.groupBy(members, ({ seq }) => seq);
  return documents.filter((row) => {
    const expected = new Set(
      indexedMembers(dialect, jsonIn<JsonObject>(row.data)).map((member) => markOf({ ...row, ...member })),
    );
    const found = new Set((indexed.get(row.seq) ?? []).map(markOf));
    return found.symmetricDifference(expected).size > 0;
  }).length;
}

const markOf = ({ tenant_id, collection, name, value, rank, number, text }: Omit<MemberRow, "seq">): string =>
  JSON.stringify([tenant_id, collection, name, value, rank, number, text]);
