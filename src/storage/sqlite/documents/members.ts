import { eq } from "drizzle-orm";
import { sha256 } from "../../../core/kernel/hash.ts";
import type { JsonObject, JsonValue } from "../../../core/kernel/json.ts";
import { canonicalJson } from "../../../core/kernel/json.ts";
import type { Connections } from "../engine/connection.ts";
import { documentMembers } from "../engine/tables.ts";

/** Canonical values longer than this are compared by hash. */
const VALUE_MAX = 200;
/** Characters of a text that the index sorts by; longer ones are read themselves where these are equal. */
export const SORTED_TEXT_MAX = 200;

/** What equal values have in common and unequal ones, of any type, have not: 1 is not "1", null is null. */
export const memberValue = (value: JsonValue): string => comparable(canonicalJson(value));

const comparable = (canonical: string): string => (canonical.length <= VALUE_MAX ? canonical : sha256(canonical));

/** One indexed member of a document. */
export interface Member {
  readonly name: string;
  readonly value: string;
  readonly rank: number;
  readonly number: number | null;
  readonly text: string | null;
}

/** What the index holds of a document. */
export const membersOf = (data: JsonObject): Member[] =>
  Object.entries(data).map(([name, value]) => {
    const canonical = canonicalJson(value);
    return { name, value: comparable(canonical), ...sortKey(value, canonical) };
  });

/** Replaces the indexed members of a document, inside the caller's transaction. */
export function putMembers(
  db: Connections,
  row: { seq: number; tenant_id: string; collection: string },
  data: JsonObject,
): void {
  db.drizzleWrite.delete(documentMembers).where(eq(documentMembers.seq, row.seq)).run();
  const { seq, tenant_id, collection } = row;
  // Prepared once: a document may have as many members as fit into a request.
  const insert = db.writeConnection.query(`insert into document_members
    (tenant_id, collection, name, value, rank, number, text, seq) values (?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const { name, value, rank, number, text } of membersOf(data)) {
    insert.run(tenant_id, collection, name, value, rank, number, text, seq);
  }
}

function sortKey(value: JsonValue, canonical: string): Pick<Member, "rank" | "number" | "text"> {
  if (value === null) return { rank: 0, number: null, text: null };
  if (typeof value === "boolean") return { rank: value ? 2 : 1, number: null, text: null };
  if (typeof value === "number") return { rank: 3, number: value, text: null };
  if (typeof value === "string") return { rank: 4, number: null, text: value.slice(0, SORTED_TEXT_MAX) };
  return { rank: 5, number: null, text: canonical.slice(0, SORTED_TEXT_MAX) };
}
