import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Member } from "../common/members.ts";
import { membersOf, memberValue } from "../common/members.ts";
import type { Columns, SqlDialect } from "../units/dialect.ts";
import type { FiledDocument } from "../units/document-index.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

const MEMBER: Columns = { name: "text", value: "text", rank: "int", number: "real", text: "text" };

/** What the index holds of a document. */
export const indexedMembers = (dialect: SqlDialect, data: JsonObject): Member[] =>
  membersOf(data).map((member) => ({ ...member, name: dialect.indexedName(member.name) }));

/** Replaces the indexed members of a document, inside the caller's transaction. */
export function* putMembers(work: TenantWork, row: FiledDocument, data: JsonObject): Unit<void> {
  const { dialect, tenant_id } = work;
  yield* removeMembers(work, row.seq);
  const members = indexedMembers(dialect, data);
  if (members.length === 0) return;
  yield* run(sql`insert into document_members (tenant_id, collection, name, value, rank, number, text, seq)
    select cast(${tenant_id} as text), cast(${row.collection} as text), m.name, m.value, m.rank, m.number, m.text,
      cast(${row.seq} as bigint)
    from ${dialect.records(members, "m", MEMBER)} where true on conflict do nothing`);
}

/** Forgets the indexed members of a document, inside the caller's transaction. */
export function* removeMembers({ dialect, tenant_id }: TenantWork, seq: number): Unit<void> {
  yield* run(
    sql`delete from document_members where ${dialect.belongs("document_members", tenant_id)} and seq = ${seq}`,
  );
}

interface Holders {
  readonly tenant_id: string;
  readonly collections: readonly string[];
  readonly where: JsonObject;
}

/**
 * The numbers of the documents of which all these members are equal, value and type; there must be one. However many there
 * are, they are looked up by one statement: a planner tries the orders of as many as it is given.
 */
export function havingMembers(dialect: SqlDialect, { tenant_id, collections, where }: Holders): SQL {
  const asked = Object.entries(where).map(([name, value]) => ({
    name: dialect.indexedName(name),
    value: memberValue(value),
  }));
  const [only] = asked;
  const among = sql`m.tenant_id = ${tenant_id} and ${dialect.isIn(sql`m.collection`, collections)}`;
  if (only && asked.length === 1)
    return sql`(select m.seq from document_members m where ${among} and m.name = ${only.name} and m.value = ${only.value})`;
  return sql`(select m.seq from ${dialect.records(asked, "asked", { name: "text", value: "text" })}
      ${dialect.nested} document_members m on ${among} and m.name = asked.name and m.value = asked.value
    group by m.seq having count(*) = ${asked.length})`;
}
