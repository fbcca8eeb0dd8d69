import { otherSide, SIDES } from "../../common/sides.ts";
import type { Side } from "../../options.ts";
import { IS_MISFILED, MISCOUNTED } from "./entities.ts";
import type { Walk } from "./slices.ts";
import { within } from "./slices.ts";

/** One statement that counts the faults of a slice as `n`; it looks up what it compares, so that all slices take one pass. */
export interface Counting {
  readonly over: Walk;
  readonly sql: string;
}

/** What must hold between rows and what is made from them. */
export interface RowCheck {
  readonly name: string;
  /** What a fault is. */
  readonly detail: string;
  readonly counts: readonly Counting[];
}

const MEMORIES: Walk = { table: "memories", key: "seq" };
const DOCUMENTS: Walk = { table: "documents", key: "seq" };

/** Leaves rows of other tenants out, where one is asked for. */
const ofTenant = (row: string): string => `($tenant is null or ${row}.tenant_id = $tenant)`;

/** Counts the live memories of a slice for which a condition of `m` holds. */
const memoriesWhere = (condition: string): Counting => ({
  over: MEMORIES,
  sql: `select count(*) as n from memories m where ${within("m.seq")} and m.deleted_at is null
    and ${ofTenant("m")} and ${condition}`,
});

/** Counts the documents of a slice for which a condition of `d` holds. */
const documentsWhere = (condition: string): Counting => ({
  over: DOCUMENTS,
  sql: `select count(*) as n from documents d where ${within("d.seq")}
    and ${ofTenant("d")} and ${condition}`,
});

/** Counts the rows `x` of a table made from others for whose number the others have no row. */
const orphans = (over: Walk, row: string): Counting => ({
  over,
  sql: `select count(*) as n from ${over.table} x where ${within(`x.${over.key}`)} and not exists (${row})`,
});

/** Asks for the memory of a number, unless it is deleted. */
export const liveMemory = (seq: string): string =>
  `select 1 from memories m where m.seq = ${seq} and m.deleted_at is null`;
/** Asks for the memory whose words stand under a number, the low half of which is the row's own. */
export const wordedMemory = (number: string): string =>
  `${liveMemory(`${number} & 4294967295`)} and m.words_row = ${number}`;
/** Asks for the document of a number, unless search leaves it out. */
export const searchedDocument = (seq: string): string =>
  `select 1 from documents d where d.seq = ${seq} and d.summary is not null`;

/** Ids that jobs of a kind name. SQLite makes this list once a statement, and only where a row asks for it. */
const named = (kind: string, member: string): string =>
  `select value from jobs, json_each(jobs.payload, '$.${member}') where kind = '${kind}'`;

/** The same for the codes of both sides. */
const codesOf = (name: "memory_codes" | "document_codes", count: (table: string) => Counting): Counting[] =>
  Object.values(SIDES).map((tables) => count(`${tables[name]}_rowids`));

/** Whatever the model of a side that does not answer has read is as it should be; what it has not read yet is no fault. */
function otherChecks(side: Side): Counting[] {
  const { memory_vectors, memory_codes, document_vectors, document_codes } = SIDES[side];
  return [
    memoriesWhere(`exists (select 1 from ${memory_vectors} v where v.seq = m.seq)
      and not exists (select 1 from ${memory_codes}_rowids c where c.rowid = m.seq)`),
    orphans(
      { table: `${memory_codes}_rowids`, key: "rowid" },
      `select 1 from ${memory_vectors} v where v.seq = abs(x.rowid)`,
    ),
    // Those of deleted rows stay, for when they are restored.
    orphans({ table: memory_vectors, key: "seq" }, "select 1 from memories m where m.seq = x.seq"),
    documentsWhere(`exists (select 1 from ${document_vectors} v where v.seq = d.seq)
      and not exists (select 1 from ${document_codes}_rowids c where c.rowid = d.seq)`),
    orphans(
      { table: `${document_codes}_rowids`, key: "rowid" },
      `select 1 from ${document_vectors} v where v.seq = x.rowid`,
    ),
    orphans(
      { table: memory_vectors, key: "seq" },
      `select 1 from generations g where g.side = '${side}' and g.embedder_id = x.embedder_id`,
    ),
  ];
}

/**
 * Every check of rows against rows, where the vectors that count lie on one side; `$embedder` is the model that made them, and
 * `$tenant` whose rows, null for all.
 * Statements without it are about what belongs to no tenant any more, or to all.
 */
export const rowChecks = (side: Side): readonly RowCheck[] => [
  {
    name: "memory keywords",
    detail: "memories that keyword search cannot find, and words of memories that are gone",
    counts: [
      memoriesWhere("not exists (select 1 from memory_words_docsize w where w.id = m.words_row)"),
      orphans({ table: "memory_words_docsize", key: "id" }, wordedMemory("x.id")),
    ],
  },
  {
    name: "memory vectors",
    detail: "memories that count as embedded and have no vector, or have none and no job makes it",
    counts: [
      memoriesWhere(`m.embedded_by = $embedder and not exists (
        select 1 from ${SIDES[side].memory_vectors} v where v.seq = m.seq and v.embedder_id = $embedder)`),
      memoriesWhere(`m.embedded_by is null and m.id not in (${named("embed_memories", "memory_ids")})`),
    ],
  },
  {
    name: "memory vector index",
    detail: "vectors that search cannot find, and entries of memories that are gone",
    counts: [
      memoriesWhere(`exists (select 1 from ${SIDES[side].memory_vectors} v where v.seq = m.seq and v.embedder_id = $embedder)
        and not exists (select 1 from ${SIDES[side].memory_codes}_rowids c where c.rowid = m.seq)`),
      ...codesOf("memory_codes", (table) => orphans({ table, key: "rowid" }, liveMemory("abs(x.rowid)"))),
    ],
  },
  {
    name: "document keywords",
    detail: "documents that keyword search cannot find, and words of documents that are gone",
    counts: [
      documentsWhere(`d.summary is not null and not exists (
        select 1 from document_words_docsize w where w.id = d.seq)`),
      orphans({ table: "document_words_docsize", key: "id" }, searchedDocument("x.id")),
    ],
  },
  {
    name: "document vectors",
    detail: "documents that count as embedded and have no vector, or have none and no job makes it",
    counts: [
      documentsWhere(`d.summary is not null and d.embedded_by = $embedder and not exists (
        select 1 from ${SIDES[side].document_vectors} v where v.seq = d.seq and v.embedder_id = $embedder)`),
      documentsWhere(`d.summary is not null and d.embedded_by is null
        and d.id not in (${named("embed_documents", "ids")})`),
      orphans({ table: "document_vectors", key: "seq" }, searchedDocument("x.seq")),
      orphans({ table: "b_document_vectors", key: "seq" }, searchedDocument("x.seq")),
    ],
  },
  {
    name: "document vector index",
    detail: "documents that count as embedded and that search cannot find, and entries of documents that are gone",
    counts: [
      documentsWhere(`d.summary is not null and d.embedded_by = $embedder and not exists (
        select 1 from ${SIDES[side].document_codes}_rowids c where c.rowid = d.seq)`),
      ...codesOf("document_codes", (table) => orphans({ table, key: "rowid" }, searchedDocument("x.rowid"))),
    ],
  },
  {
    name: "other model",
    detail: "vectors of the model beside the one that answers that its index lacks, or has of rows that are gone",
    counts: otherChecks(otherSide(side)),
  },
  {
    name: "entities",
    detail: "memories that are not found under the entities that they name, and wrong counts of them",
    counts: [
      memoriesWhere(IS_MISFILED),
      orphans({ table: "memory_entities", key: "memory_seq" }, liveMemory("x.memory_seq")),
      { over: { table: "entities", key: "seq" }, sql: MISCOUNTED },
    ],
  },
  {
    name: "detector",
    detail: "memories demoted or linked without a finding, and claims of memories that are gone",
    counts: [
      {
        over: { table: "memory_checks", key: "memory_seq" },
        sql: `select count(*) as n from memory_checks c where ${within("c.memory_seq")} and c.former_status is not null
          and not exists (select 1 from findings f where f.older_seq = c.memory_seq and f.retracted_at is null)`,
      },
      memoriesWhere(`m.supersedes_id is not null and not exists (
        select 1 from findings f join memories older on older.seq = f.older_seq
        where f.newer_seq = m.seq and f.retracted_at is null and older.id = m.supersedes_id)`),
      orphans({ table: "memory_claims", key: "memory_seq" }, liveMemory("x.memory_seq")),
    ],
  },
  {
    name: "reading",
    detail: "memories that were never read for what they claim, and that no job will read",
    counts: [
      memoriesWhere(`not exists (
          select 1 from memory_checks c where c.memory_seq = m.seq and c.content_hash = m.content_hash)
        and m.id not in (${named("understand_memories", "memory_ids")})`),
    ],
  },
  {
    name: "second readings",
    detail: "documents that count as read twice and are not, and readings that belong to no such document",
    counts: [
      documentsWhere(`d.paraphrased_by is not null and not exists (
        select 1 from document_paraphrases p where p.seq = d.seq and p.embedder_id = d.paraphrased_by)`),
      orphans(
        { table: "document_paraphrases", key: "seq" },
        "select 1 from documents d where d.seq = x.seq and d.paraphrased_by = x.embedder_id",
      ),
    ],
  },
];

/** How many live rows each set of readers has. */
export const STORED_BY_READERS =
  "select audience, count(*) as stored from memories where deleted_at is null group by audience";

/** Tenants, and sets of readers, whose count of memories is wrong; each in one pass. */
export const USAGE = `with counted as materialized (
    select tenant_id, count(*) as stored from memories
    where deleted_at is null and ($tenant is null or tenant_id = $tenant) group by tenant_id),
  readers as materialized (${STORED_BY_READERS})
  select (select count(*) from tenant_usage u left join counted c using (tenant_id)
      where u.memories_stored <> coalesce(c.stored, 0) and ${ofTenant("u")})
    + (select count(*) from counted where tenant_id not in (select tenant_id from tenant_usage))
    + (select count(*) from audiences a left join readers c on c.audience = a.id
      left join audience_rows r on r.audience = a.id
      where coalesce(c.stored, 0) <> coalesce(r.stored, 0) and ${ofTenant("a")}) as n`;
