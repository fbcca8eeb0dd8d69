import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { sha256 } from "../../../core/kernel/hash.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { Member } from "../../common/members.ts";
import { membersOf, memberValue } from "../../common/members.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** A document by its number, and the collection under which its members stand. */
export interface MemberedRow {
  readonly seq: number;
  readonly collection: string;
}

/** An entry of an index has room for a name of so many characters; longer ones are indexed by hash. */
const NAME_MAX = 200;

/** The name under which a member is indexed. */
export const memberName = (name: string): string => (name.length <= NAME_MAX ? name : sha256(name));

/** What the index holds of a document. A text that is cut may end in half of a pair, which no database takes. */
export const indexedMembers = (data: JsonObject): Member[] =>
  membersOf(data).map(({ name, text, ...member }) => ({
    ...member,
    name: memberName(name),
    text: text?.toWellFormed() ?? null,
  }));

/** Replaces the indexed members of a document, inside the caller's transaction. */
export async function putMembers(work: TenantWork, row: MemberedRow, data: JsonObject): Promise<void> {
  await removeMembers(work, row.seq);
  const members = indexedMembers(data);
  if (members.length === 0) return;
  await work.run(sql`insert into document_members (tenant_id, collection, name, value, rank, number, text, seq)
    select ${work.tenant_id}, ${row.collection}, m.name, m.value, m.rank, m.number, m.text, ${row.seq}::bigint
    from json_to_recordset(${recordsValue(members)})
      as m (name text, value text, rank integer, number double precision, text text)
    on conflict do nothing`);
}

/** Forgets the indexed members of a document, inside the caller's transaction. */
export const removeMembers = (work: TenantWork, seq: number): Promise<number> =>
  work.run(sql`delete from document_members where tenant_id = ${work.tenant_id} and seq = ${seq}`);

interface Holders {
  readonly tenant_id: string;
  readonly collections: readonly string[];
  readonly where: JsonObject;
}

/**
 * The numbers of the documents of which all these members are equal, value and type; there must be one. However many there
 * are, they are looked up by one statement: a planner tries the orders of as many as it is given.
 */
export function havingMembers({ tenant_id, collections, where }: Holders): SQL {
  const asked = Object.entries(where).map(([name, value]) => ({ name: memberName(name), value: memberValue(value) }));
  return sql`(select m.seq from json_to_recordset(${recordsValue(asked)}) as asked (name text, value text)
      join document_members m on m.tenant_id = ${tenant_id} and m.collection = any(${textArray(collections)})
        and m.name = asked.name and m.value = asked.value
    group by m.seq having count(*) = ${asked.length})`;
}
