import type { SQL } from "drizzle-orm";
import { and, asc, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { DocumentFilter, DocumentKey, DocumentPage, StoredDocument } from "../../ports/document-store.ts";
import type { Connections } from "./connection.ts";
import { memberValue, SORTED_TEXT_MAX } from "./document-members.ts";
import { documentMembers, documents } from "./tables.ts";

export type DocumentRow = typeof documents.$inferSelect;

/** Row to noun: leaves out the row's number. */
export function toDocument({ seq: _seq, ...document }: DocumentRow): StoredDocument {
  return document;
}

/** The document under the caller's key. */
export function documentRow(db: Connections["read"], key: DocumentKey): DocumentRow | null {
  const named = and(
    eq(documents.tenant_id, key.tenant_id),
    eq(documents.collection, key.collection),
    eq(documents.doc_id, key.doc_id),
  );
  return db.select().from(documents).where(named).get() ?? null;
}

/** By the caller's key, else by the row's id within the collection. */
export function findDocument(db: Connections["read"], key: DocumentKey): DocumentRow | null {
  const byId = and(
    eq(documents.tenant_id, key.tenant_id),
    eq(documents.collection, key.collection),
    eq(documents.id, key.doc_id),
  );
  return documentRow(db, key) ?? db.select().from(documents).where(byId).get() ?? null;
}

export function listDocuments(at: Connections, page: DocumentPage): StoredDocument[] {
  const rows = at.read
    .select()
    .from(documents)
    .where(documentWhere(page.filter))
    .orderBy(...orderOf(page))
    .limit(page.limit)
    .offset(page.offset);
  return rows.all().map(toDocument);
}

/** The one place where a predicate over documents is built; the tenant always comes first. */
function documentWhere({ tenant_id, collection, fleet_id, where }: DocumentFilter): SQL | undefined {
  return and(
    eq(documents.tenant_id, tenant_id),
    eq(documents.collection, collection),
    fleet_id === undefined ? undefined : eq(documents.fleet_id, fleet_id),
    ...Object.entries(where ?? {}).map(
      ([name, value]) => sql`${documents.seq} in (select m.seq from document_members m
        where m.tenant_id = ${tenant_id} and m.collection = ${collection} and m.name = ${name} and m.value = ${memberValue(value)})`,
    ),
  );
}

function orderOf({ filter, order_by, order }: DocumentPage): SQL[] {
  const direction = order === "asc" ? asc : desc;
  if (order_by === undefined) return [desc(documents.updated_at), desc(documents.seq)];
  const member = (column: string): SQL =>
    sql`(select ${sql.raw(`m.${column}`)} from document_members m where m.seq = ${documents.seq} and m.name = ${order_by}
      and m.tenant_id = ${filter.tenant_id} and m.collection = ${filter.collection} limit 1)`;
  // Documents without the member come last, whichever the direction.
  return [
    sql`${member("rank")} is null`,
    direction(member("rank")),
    direction(member("number")),
    direction(member("text")),
    direction(longText(order_by, member("text"))),
    direction(documents.seq),
  ];
}

/** The whole of a text whose indexed beginning may be another's too; its units may be half as many characters. */
const longText = (name: string, start: SQL): SQL =>
  sql`case when length(${start}) >= ${SORTED_TEXT_MAX / 2}
    then (select j.atom from json_each(${documents.data}) j where j.key = ${name}) end`;

export function listCollections(at: Connections, tenant_id: string, fleet_id: string | null) {
  const wanted = and(
    eq(documents.tenant_id, tenant_id),
    fleet_id === null ? undefined : eq(documents.fleet_id, fleet_id),
  );
  return at.read
    .select({ name: documents.collection, count: count() })
    .from(documents)
    .where(wanted)
    .groupBy(documents.collection)
    .orderBy(asc(documents.collection))
    .all();
}

export function pendingDocuments(
  at: Connections,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): StoredDocument[] {
  const waiting = and(
    eq(documents.tenant_id, tenant_id),
    inArray(documents.id, [...ids]),
    sql`${documents.summary} is not null and ${documents.embedded_by} is not ${embedder_id}`,
  );
  return at.write.select().from(documents).where(waiting).all().map(toDocument);
}

/** Forgets the indexed members of a document, inside the caller's transaction. */
export function removeMembers(at: Connections, seq: number): void {
  at.write.delete(documentMembers).where(eq(documentMembers.seq, seq)).run();
}
