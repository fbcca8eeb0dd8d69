import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type {
  DocumentFilter,
  DocumentKey,
  DocumentPage,
  FoundData,
  SeesSkills,
  StoredDocument,
} from "../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../core/ports/page.ts";
import { numberedNames } from "../../core/schema/keystones/names.ts";
import { SORTED_TEXT_MAX, TEXT_RANK } from "../common/members.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn, sizeOf } from "../units/dialect.ts";
import { pageOf } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";
import { documentWhere, scopeWhere } from "./filters.ts";

/** A document with its number. */
export interface DocumentRow extends StoredDocument {
  readonly seq: number;
}

const columnsOf = (names: string): SQL =>
  sql.raw(
    names
      .split(" ")
      .map((name) => `documents.${name}`)
      .join(", "),
  );
const BESIDE_DATA = columnsOf(
  "seq id tenant_id fleet_id collection doc_id created_at updated_at summary embedded_by approval",
);

/** What a statement reads or returns of documents: of an older file their table has a column that nothing reads any more. */
export const DOCUMENT_COLUMNS = sql`${BESIDE_DATA}, documents.data`;

/** Documents of which a statement has `DOCUMENT_COLUMNS`. */
export function* documentRows(query: SQL): Unit<DocumentRow[]> {
  const found = yield* rows<DocumentRow>(query);
  return found.map((one) => ({ ...one, data: jsonIn(one.data), approval: jsonIn(one.approval) }));
}

/** Row to noun. */
export function toDocument({ seq: _seq, ...document }: DocumentRow): StoredDocument {
  return document;
}

/** The same without their numbers. */
export function* documentsOf(query: SQL): Unit<StoredDocument[]> {
  return (yield* documentRows(query)).map(toDocument);
}

/** The document under the caller's key. */
export function* documentRow({ tenant_id, collection, doc_id }: DocumentKey): Unit<DocumentRow | null> {
  const [found] = yield* documentRows(sql`select ${DOCUMENT_COLUMNS} from documents
    where tenant_id = ${tenant_id} and collection = ${collection} and doc_id = ${doc_id}`);
  return found ?? null;
}

/** By the caller's key, else by the row's id within the collection. */
export function* findDocument({ tenant_id, collection, doc_id }: DocumentKey): Unit<DocumentRow | null> {
  const [found] = yield* documentRows(sql`select ${DOCUMENT_COLUMNS} from documents
    where tenant_id = ${tenant_id} and collection = ${collection} and (doc_id = ${doc_id} or id = ${doc_id})
    order by doc_id = ${doc_id} desc limit 1`);
  return found ?? null;
}

/** All that are stored under a name, oldest first. */
export function namesakesOf({ tenant_id, collection, doc_id }: DocumentKey): Unit<StoredDocument[]> {
  const [from, before] = numberedNames(doc_id);
  return documentsOf(sql`select ${DOCUMENT_COLUMNS} from documents where tenant_id = ${tenant_id} and collection = ${collection}
    and (doc_id = ${doc_id} or (doc_id >= ${from} and doc_id < ${before})) order by seq`);
}

/** What a document takes in a reply. */
export const documentSize = (dialect: SqlDialect): SQL => sizeOf(dialect, "documents", ["data"]);

/** Documents of a page, in its order. */
export const listDocuments = ({ dialect }: Work, page: DocumentPage): Unit<StoredDocument[]> =>
  documentsOf(sql`select ${columnsWithout(dialect, page.without ?? [])} ${ofPage(dialect, page)}`);

/** The same as far as it fits into so many bytes. */
export const pageOfDocuments = (work: Work, page: DocumentPage & PageBounds): Unit<Page<StoredDocument>> =>
  pageOf(
    page,
    (limit) => rows(sql`select ${documentSize(work.dialect)} as size ${ofPage(work.dialect, { ...page, limit })}`),
    (limit) => listDocuments(work, { ...page, limit }),
  );

/** Data of these rows, in the order of their ids, as far as it fits. */
export function* dataOfDocuments(
  { dialect }: Work,
  tenant_id: string,
  { ids, bytes }: { readonly ids: readonly string[]; readonly bytes: number },
): Unit<Page<FoundData>> {
  const among = (some: readonly string[]) => amongIds(dialect, tenant_id, some);
  const sizes = yield* rows<{ id: string; size: number }>(
    sql`select id, ${documentSize(dialect)} as size from documents where ${among(ids)}`,
  );
  const known = new Map(sizes.map((sized) => [sized.id, sized]));
  const there = ids.flatMap((id) => known.get(id) ?? []);
  return yield* pageOf(
    { limit: there.length, bytes },
    // biome-ignore lint/correctness/useYield: they are known.
    function* () {
      return there;
    },
    function* (count) {
      const wanted = there.slice(0, count).map(({ id }) => id);
      const held = yield* rows<FoundData>(sql`select id, data from documents where ${among(wanted)}`);
      const dataOf = new Map(held.map(({ id, data }) => [id, jsonIn<JsonObject>(data)]));
      return wanted.flatMap((id) => {
        const data = dataOf.get(id);
        return data ? [{ id, data }] : [];
      });
    },
  );
}

const amongIds = (dialect: SqlDialect, tenant_id: string, ids: readonly string[]): SQL =>
  sql`${dialect.belongs("documents", tenant_id)} and ${dialect.isIn(sql`documents.id`, ids)}`;

/** Everything of a statement that lists documents, but for its columns. */
function ofPage(dialect: SqlDialect, { filter, order_by, order, limit, offset }: DocumentPage): SQL {
  const direction = order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
  const member = order_by === undefined ? null : sortedBy(dialect, filter, order_by);
  return sql`from documents ${member?.join ?? sql``} where ${documentWhere(dialect, filter)}
    order by ${member?.order(direction) ?? sql`documents.updated_at desc, documents.seq desc`}
    limit ${limit} offset ${offset}`;
}

/** How documents are sorted by a member; those without it come last, whichever the direction. */
function sortedBy(dialect: SqlDialect, { tenant_id, collection }: DocumentFilter, name: string) {
  // The whole of a text whose indexed beginning may be another's too; its units may be half as many characters.
  const longText = sql`case when sorted.rank = ${TEXT_RANK} and length(sorted.text) >= ${SORTED_TEXT_MAX / 2}
    then ${dialect.member(sql`documents.data`, name)} end`;
  return {
    // One member is looked up for each document, however many parts of it are sorted by.
    join: sql`left join document_members sorted on sorted.seq = documents.seq and sorted.tenant_id = ${tenant_id}
      and sorted.collection = ${collection} and sorted.name = ${dialect.indexedName(name)}`,
    order: (direction: SQL) => sql`sorted.rank is null, sorted.rank ${direction}, sorted.number ${direction},
      sorted.text ${direction}, ${longText} ${direction}, documents.seq ${direction}`,
  };
}

/** The columns of rows whose data lacks some members. */
const columnsWithout = (dialect: SqlDialect, members: readonly string[]): SQL =>
  members.length === 0
    ? DOCUMENT_COLUMNS
    : sql`${BESIDE_DATA}, ${dialect.without(sql`documents.data`, members)} as data`;

interface CollectionsAsked extends SeesSkills {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
}

/** Collections of a tenant with how many documents the reader sees in each. */
export const listCollections = ({ dialect }: Work, { fleet_id, ...asked }: CollectionsAsked) =>
  rows<{ name: string; count: number }>(sql`select collection as name, count(*) as count from documents
    where ${scopeWhere(dialect, { ...asked, fleet_id: fleet_id ?? undefined })} group by collection order by collection`);

/** The searchable documents among these that a model did not read. */
export const unreadDocuments = (
  { dialect }: Work,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): Unit<StoredDocument[]> =>
  documentsOf(sql`select ${DOCUMENT_COLUMNS} from documents where ${amongIds(dialect, tenant_id, ids)} and summary is not null
    and embedded_by is distinct from ${embedder_id} order by +seq`);

/** How many documents the tenant holds; counted in an index, no further than a limit. */
export function* storedDocuments({ tenant_id }: TenantWork, limit: number): Unit<number> {
  const counted = yield* row<{ n: number }>(
    sql`select count(*) as n from (select 1 from documents where tenant_id = ${tenant_id} limit ${limit}) d`,
  );
  return counted?.n ?? 0;
}
