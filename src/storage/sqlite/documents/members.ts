import { eq } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import { membersOf } from "../../common/members.ts";
import type { Connections } from "../engine/connection.ts";
import { documentMembers } from "../engine/tables.ts";

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
