import type { SQL } from "drizzle-orm";
import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import { alias } from "drizzle-orm/sqlite-core";
import type {
  DocumentFilter,
  DocumentKey,
  DocumentPage,
  FoundData,
  SeesSkills,
  SkillVisibility,
  StoredDocument,
} from "../../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import { SKILL_UPDATES, SKILLS } from "../../../core/schema/skill.ts";
import { memberValue, SORTED_TEXT_MAX } from "../../common/members.ts";
import type { Connections } from "../engine/connection.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { documentMembers, documents } from "../engine/tables.ts";
import { besideIds } from "../memories/filters.ts";

export type DocumentRow = typeof documents.$inferSelect;

/** Row to noun: leaves out the row's number, and what only the jobs ask about. */
export function toDocument({ seq: _seq, paraphrased_by: _paraphrased, ...document }: DocumentRow): StoredDocument {
  return document;
}

/** The document under the caller's key. */
export function documentRow(db: Connections["drizzleRead"], key: DocumentKey): DocumentRow | null {
  const named = and(
    eq(documents.tenant_id, key.tenant_id),
    eq(documents.collection, key.collection),
    eq(documents.doc_id, key.doc_id),
  );
  return db.select().from(documents).where(named).get() ?? null;
}

/** By the caller's key, else by the row's id within the collection. */
export function findDocument(db: Connections["drizzleRead"], key: DocumentKey): DocumentRow | null {
  const byId = and(
    eq(documents.tenant_id, key.tenant_id),
    eq(documents.collection, key.collection),
    eq(documents.id, key.doc_id),
  );
  return documentRow(db, key) ?? db.select().from(documents).where(byId).get() ?? null;
}

/** Documents of a page, in its order. */
export function listDocuments(db: Connections, page: DocumentPage): StoredDocument[] {
  const { without } = page;
  const row = without ? { ...getTableColumns(documents), data: dataWithout(without) } : documents;
  const found = ofPage(db.drizzleRead.select({ row }).from(documents).$dynamic(), page);
  return found.all().map(({ row }) => toDocument(row));
}

/** The same as far as it fits into so many bytes. */
export const pageOfDocuments = (db: Connections, page: DocumentPage & PageBounds): Page<StoredDocument> =>
  pageOf(
    page,
    (limit) =>
      ofPage(db.drizzleRead.select({ size: DOCUMENT_SIZE }).from(documents).$dynamic(), { ...page, limit })
        .all()
        .map(({ size }) => size),
    (limit) => listDocuments(db, { ...page, limit }),
  );

/** What a document takes in a reply. */
export const DOCUMENT_SIZE = sql<number>`${sql.raw(sizeText("documents", ["data"]))}`;

/** Data of these rows, in the order of their ids, as far as it fits. */
export function dataOfDocuments(
  db: Connections,
  tenant_id: string,
  { ids, bytes }: { ids: readonly string[]; bytes: number },
): Page<FoundData> {
  const wanted = and(besideIds(documents.tenant_id, tenant_id), inArray(documents.id, [...ids]));
  const known = new Map(
    db.drizzleRead
      .select({ id: documents.id, size: DOCUMENT_SIZE })
      .from(documents)
      .where(wanted)
      .all()
      .map(({ id, size }) => [id, size]),
  );
  const there = ids.filter((id) => known.has(id));
  return pageOf(
    { limit: there.length, bytes },
    () => there.map((id) => known.get(id) ?? 0),
    (count) => {
      const among = inArray(documents.id, there.slice(0, count));
      const rows = db.drizzleRead
        .select({ id: documents.id, data: documents.data })
        .from(documents)
        .where(and(wanted, among));
      const found = new Map(rows.all().map((row) => [row.id, row]));
      return there.slice(0, count).flatMap((id) => found.get(id) ?? []);
    },
  );
}

function ofPage<T extends SQLiteSelect>(rows: T, page: DocumentPage) {
  const { filter, order_by, limit, offset } = page;
  // One member is looked up for each document, however many parts of it are sorted by.
  const joined = order_by === undefined ? rows : rows.leftJoin(sorted, memberOf(filter, order_by));
  return joined
    .where(documentWhere(filter))
    .orderBy(...orderOf(page))
    .limit(limit)
    .offset(offset);
}

const dataWithout = (members: readonly string[]): SQL<DocumentRow["data"]> =>
  sql`json_remove(${documents.data}, ${sql.join(
    members.map((name) => sql`${`$."${name}"`}`),
    sql`, `,
  )})`.mapWith(documents.data);

/** The one place where a predicate over documents is built; the tenant always comes first. */
function documentWhere(filter: DocumentFilter): SQL | undefined {
  const { tenant_id, collection, fleet_id, where, approved, skill_visibility } = filter;
  return and(
    eq(documents.tenant_id, tenant_id),
    eq(documents.collection, collection),
    fleet_id === undefined ? undefined : eq(documents.fleet_id, fleet_id),
    skill_visibility ? ofFleets(skill_visibility.fleets) : undefined,
    approved ? isNotNull(documents.approval) : undefined,
    ...Object.entries(where ?? {}).map(
      ([name, value]) => sql`${documents.seq} in (select m.seq from document_members m
        where m.tenant_id = ${tenant_id} and m.collection = ${collection} and m.name = ${name} and m.value = ${memberValue(value)})`,
    ),
  );
}

/** The member that documents are sorted by. */
const sorted = alias(documentMembers, "sorted");

const memberOf = ({ tenant_id, collection }: DocumentFilter, name: string): SQL | undefined =>
  and(
    eq(sorted.seq, documents.seq),
    eq(sorted.tenant_id, tenant_id),
    eq(sorted.collection, collection),
    eq(sorted.name, name),
  );

function orderOf({ order_by, order }: DocumentPage): SQL[] {
  if (order_by === undefined) return [desc(documents.updated_at), desc(documents.seq)];
  const direction = order === "asc" ? asc : desc;
  // Documents without the member come last, whichever the direction.
  return [
    sql`${sorted.rank} is null`,
    direction(sorted.rank),
    direction(sorted.number),
    direction(sorted.text),
    direction(longText(order_by)),
    direction(documents.seq),
  ];
}

/** The whole of a text whose indexed beginning may be another's too; its units may be half as many characters. */
const longText = (name: string): SQL =>
  sql`case when length(${sorted.text}) >= ${SORTED_TEXT_MAX / 2}
    then (select j.atom from json_each(${documents.data}) j where j.key = ${name}) end`;

interface CollectionsAsked extends SeesSkills {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
}

/** Collections of a tenant with how many documents the reader sees in each. */
export function listCollections(db: Connections, { tenant_id, fleet_id, skill_visibility }: CollectionsAsked) {
  const wanted = and(
    eq(documents.tenant_id, tenant_id),
    fleet_id === null ? undefined : eq(documents.fleet_id, fleet_id),
    skill_visibility ? isVisible(skill_visibility) : undefined,
  );
  return db.drizzleRead
    .select({ name: documents.collection, count: count() })
    .from(documents)
    .where(wanted)
    .groupBy(documents.collection)
    .orderBy(asc(documents.collection))
    .all();
}

/** What a caller who sees only active skills sees. */
export const isVisible = ({ fleets }: SkillVisibility): SQL =>
  sql`(${documents.collection} not in (${SKILLS}, ${SKILL_UPDATES})
    or (json_extract(${documents.data}, '$.status') = 'active' and ${ofFleets(fleets)}))`;

/** Documents of these fleets and of none. */
export const ofFleets = (fleets: SkillVisibility["fleets"]): SQL =>
  fleets === "all"
    ? sql`true`
    : sql`(${documents.fleet_id} is null or ${documents.fleet_id} in (select value from json_each(${JSON.stringify(fleets)})))`;

/** The searchable documents among these that the model named by the column did not read, or not as it is now. */
export function unreadDocuments(
  db: Connections,
  tenant_id: string,
  ids: readonly string[],
  { by, embedder_id }: { by: "embedded_by" | "paraphrased_by"; embedder_id: string },
): StoredDocument[] {
  const waiting = and(
    besideIds(documents.tenant_id, tenant_id),
    inArray(documents.id, [...ids]),
    sql`${documents.summary} is not null and ${documents[by]} is not ${embedder_id}`,
  );
  return db.drizzleWrite.select().from(documents).where(waiting).all().map(toDocument);
}

/** Forgets the indexed members of a document, inside the caller's transaction. */
export function removeMembers(db: Connections, seq: number): void {
  db.drizzleWrite.delete(documentMembers).where(eq(documentMembers.seq, seq)).run();
}
