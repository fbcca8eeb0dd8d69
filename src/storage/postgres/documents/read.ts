import type { SQL } from "drizzle-orm";
import { getTableColumns, sql } from "drizzle-orm";
import type {
  DocumentFilter,
  DocumentKey,
  DocumentPage,
  FoundData,
  SeesSkills,
  StoredDocument,
} from "../../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import { SORTED_TEXT_MAX } from "../../common/members.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { documents } from "../engine/tables.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { ofFleets, scopeWhere } from "./filters.ts";
import { havingMembers, memberName } from "./members.ts";

export type DocumentRow = typeof documents.$inferSelect;

/** Row to noun: leaves out the row's number, and what only the jobs ask about. */
export function toDocument({ seq: _seq, paraphrased_by: _paraphrased, ...document }: DocumentRow): StoredDocument {
  return document;
}

/** The document under the caller's key. */
export const documentRow = (work: Work, { tenant_id, collection, doc_id }: DocumentKey): Promise<DocumentRow | null> =>
  work.row<DocumentRow>(sql`select * from documents
    where tenant_id = ${tenant_id} and collection = ${collection} and doc_id = ${doc_id}`);

/** By the caller's key, else by the row's id within the collection. */
export const findDocument = (work: Work, { tenant_id, collection, doc_id }: DocumentKey): Promise<DocumentRow | null> =>
  work.row<DocumentRow>(sql`select * from documents
    where tenant_id = ${tenant_id} and collection = ${collection} and (doc_id = ${doc_id} or id = ${doc_id})
    order by doc_id = ${doc_id} desc limit 1`);

/** What a document takes in a reply. */
export const DOCUMENT_SIZE = sizeText("documents", ["data"]);

/** Documents of a page, in its order. */
export async function listDocuments(work: Work, page: DocumentPage): Promise<StoredDocument[]> {
  const rows = await work.rows<DocumentRow>(sql`select ${columnsWithout(page.without ?? [])} ${ofPage(page)}`);
  return rows.map(toDocument);
}

/** The same as far as it fits into so many bytes. */
export const pageOfDocuments = (work: Work, page: DocumentPage & PageBounds): Promise<Page<StoredDocument>> =>
  pageOf(
    page,
    async (limit) => {
      const rows = await work.rows<{ size: number }>(
        sql`select ${DOCUMENT_SIZE} as size ${ofPage({ ...page, limit })}`,
      );
      return rows.map(({ size }) => size);
    },
    (limit) => listDocuments(work, { ...page, limit }),
  );

/** Data of these rows, in the order of their ids, as far as it fits. */
export async function dataOfDocuments(
  work: Work,
  tenant_id: string,
  { ids, bytes }: { ids: readonly string[]; bytes: number },
): Promise<Page<FoundData>> {
  const among = (some: readonly string[]) => sql`tenant_id = ${tenant_id} and id = any(${textArray(some)})`;
  const sizes = await work.rows<{ id: string; size: number }>(
    sql`select id, ${DOCUMENT_SIZE} as size from documents where ${among(ids)}`,
  );
  const known = new Map(sizes.map(({ id, size }) => [id, size]));
  const there = ids.filter((id) => known.has(id));
  return pageOf(
    { limit: there.length, bytes },
    async () => there.map((id) => known.get(id) ?? 0),
    async (count) => {
      const wanted = there.slice(0, count);
      const rows = await work.rows<FoundData>(sql`select id, data from documents where ${among(wanted)}`);
      const found = new Map(rows.map((row) => [row.id, row]));
      return wanted.flatMap((id) => found.get(id) ?? []);
    },
  );
}

/** Everything of a statement that lists documents, but for its columns. */
function ofPage({ filter, order_by, order, limit, offset }: DocumentPage): SQL {
  const direction = order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
  const member = order_by === undefined ? null : sortedBy(filter, order_by);
  return sql`from documents ${member?.join ?? sql``} where ${documentWhere(filter)}
    order by ${member?.order(direction) ?? sql`documents.updated_at desc, documents.seq desc`}
    limit ${limit} offset ${offset}`;
}

/** How documents are sorted by a member; those without it come last, whichever the direction. */
function sortedBy({ tenant_id, collection }: DocumentFilter, name: string) {
  // The whole of a text whose indexed beginning may be another's too; its units may be half as many characters.
  const longText = sql`(case when sorted.rank = ${TEXT_RANK} and length(sorted.text) >= ${SORTED_TEXT_MAX / 2}
    then documents.data ->> ${name} end) collate "C"`;
  return {
    join: sql`left join document_members sorted on sorted.tenant_id = ${tenant_id} and sorted.collection = ${collection}
      and sorted.name = ${memberName(name)} and sorted.seq = documents.seq`,
    order: (direction: SQL) => sql`sorted.rank is null, sorted.rank ${direction}, sorted.number ${direction},
      sorted.text ${direction}, ${longText} ${direction}, documents.seq ${direction}`,
  };
}

/** Among the types of members, that of texts. */
const TEXT_RANK = 4;

/** The columns of rows whose data lacks some members; what is left stays in its order. */
function columnsWithout(members: readonly string[]): SQL {
  if (members.length === 0) return sql`documents.*`;
  const columns = Object.keys(getTableColumns(documents)).map((name) =>
    name === "data"
      ? sql`(select coalesce(json_object_agg(kept.key, kept.value), '{}'::json) from json_each(documents.data) kept
          where kept.key <> all(${textArray(members)})) as data`
      : sql.raw(`documents.${name}`),
  );
  return sql.join(columns, sql`, `);
}

/** The one place where a predicate over documents is built; the tenant always comes first. */
function documentWhere(filter: DocumentFilter): SQL {
  const { tenant_id, collection, fleet_id, where, approved, skill_visibility } = filter;
  const members =
    where && Object.keys(where).length > 0
      ? [sql`documents.seq in ${havingMembers({ tenant_id, collections: [collection], where })}`]
      : [];
  const seen = skill_visibility ? [ofFleets(skill_visibility.fleets)] : [];
  const settled = approved ? [sql`documents.approval is not null`] : [];
  return sql.join([scopeWhere({ tenant_id, collection, fleet_id }), ...seen, ...settled, ...members], sql` and `);
}

interface CollectionsAsked extends SeesSkills {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
}

/** Collections of a tenant with how many documents the reader sees in each. */
export const listCollections = (
  work: Work,
  { tenant_id, fleet_id, skill_visibility }: CollectionsAsked,
): Promise<{ name: string; count: number }[]> =>
  work.rows(sql`select collection as name, count(*) as count from documents
    where ${scopeWhere({ tenant_id, fleet_id: fleet_id ?? undefined, skill_visibility })}
    group by collection order by collection`);

/** The searchable documents among these that the model named by the column did not read, or not as it is now. */
export async function unreadDocuments(
  work: Work,
  tenant_id: string,
  ids: readonly string[],
  { by, embedder_id }: { by: "embedded_by" | "paraphrased_by"; embedder_id: string },
): Promise<StoredDocument[]> {
  const rows = await work.rows<DocumentRow>(sql`select * from documents
    where tenant_id = ${tenant_id} and id = any(${textArray(ids)}) and summary is not null
      and ${sql.raw(by)} is distinct from ${embedder_id} order by seq`);
  return rows.map(toDocument);
}
