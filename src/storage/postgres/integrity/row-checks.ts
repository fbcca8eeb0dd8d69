import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { MEMORY_TYPES } from "../../../core/schema/memory.ts";
import type { SideTables } from "../../common/sides.ts";
import { otherSide, SIDES, sideOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { textArray } from "../engine/values.ts";
import { IS_MISFILED, miscounted } from "./entities.ts";
import { ofTenant } from "./slices.ts";

/** What must hold between rows and what is made from them. */
export interface RowCheck {
  readonly name: string;
  /** What a fault is. */
  readonly detail: string;
  /** Statements that each count faults as `n`, of one moment. */
  readonly counts: readonly SQL[];
}

/** What is checked. */
export interface Checked {
  /** The model whose vectors count. */
  readonly space: EmbedderSpace;
  /** The tenant whose rows are looked at; null for all. */
  readonly tenant: string | null;
}

/** Holds for two rows of one number, whatever else they are. */
const same = (a: string, b: string): SQL => sql.raw(`${a}.tenant_id = ${b}.tenant_id and ${a}.seq = ${b}.seq`);

/** Asks for the memory of a row `x`, unless it is deleted; `key` is the column that has its number. */
export const liveMemory = (key = "seq"): SQL =>
  sql`select 1 from memories m where m.tenant_id = x.tenant_id and m.seq = x.${sql.raw(key)} and m.deleted_at is null`;
/** Asks for the document of a row `x`, unless search leaves it out. */
export const searchedDocument = (): SQL =>
  sql`select 1 from documents d where d.tenant_id = x.tenant_id and d.seq = x.seq and d.summary is not null`;

/** Holds for a row of which no job of a kind that waits speaks. */
const unawaited = (row: "m" | "d", kind: string, member: string): SQL => sql`not exists (
  select 1 from jobs j cross join lateral json_array_elements_text(j.payload::json -> ${member}::text) as v (id)
  where j.kind = ${kind} and j.tenant_id = ${sql.raw(row)}.tenant_id and v.id = ${sql.raw(row)}.id)`;

/** Every check of rows against rows. */
export function rowChecks({ space, tenant }: Checked): readonly RowCheck[] {
  const tables = SIDES[sideOf(space)];
  const memoriesWhere = (condition: SQL): SQL => sql`select count(*) as n from memories m
    where m.deleted_at is null and ${ofTenant(sql`m.tenant_id`, tenant)} and ${condition}`;
  const documentsWhere = (condition: SQL): SQL => sql`select count(*) as n from documents d
    where ${ofTenant(sql`d.tenant_id`, tenant)} and ${condition}`;
  /** Counts the rows `x` of a table made from others that the others have no row for. */
  const orphans = (table: string, row: SQL): SQL => sql`select count(*) as n from ${sql.raw(table)} x
    where ${ofTenant(sql`x.tenant_id`, tenant)} and not exists (${row})`;
  const both = (name: keyof SideTables, row: SQL): SQL[] =>
    Object.values(SIDES).map((side) => orphans(side[name], row));
  const vectorOf = (row: "m" | "d", table: string): SQL =>
    sql`exists (select 1 from ${sql.raw(table)} v where ${same("v", row)} and v.embedder_id = ${space.id})`;
  return [
    {
      name: "memory vectors",
      detail: "memories that count as embedded and have no vector, or have none and no job makes it",
      counts: [
        memoriesWhere(sql`m.embedded_by = ${space.id} and not ${vectorOf("m", tables.memory_vectors)}`),
        memoriesWhere(sql`m.embedded_by is null and ${unawaited("m", "embed_memories", "memory_ids")}`),
      ],
    },
    {
      name: "memory vector index",
      detail: "vectors that search cannot find, and entries of memories that are gone",
      counts: [
        memoriesWhere(sql`m.embedded_by = ${space.id} and ${vectorOf("m", tables.memory_vectors)}
          and not exists (select 1 from ${sql.raw(tables.memory_codes)} c where ${same("c", "m")}
            and c.embedder_id = ${space.id} and c.author = m.author and c.audience = m.audience
            and c.kind = array_position(${textArray(MEMORY_TYPES)}, m.memory_type) - 1)`),
        ...both("memory_codes", liveMemory()),
      ],
    },
    {
      name: "document keywords",
      detail: "documents that keyword search cannot find, and words of documents that are gone",
      counts: [
        documentsWhere(
          sql`d.summary is not null and not exists (select 1 from document_words w where ${same("w", "d")})`,
        ),
        orphans("document_words", searchedDocument()),
      ],
    },
    {
      name: "document vectors",
      detail: "documents that count as embedded and have no vector, or have none and no job makes it",
      counts: [
        documentsWhere(sql`d.summary is not null and d.embedded_by = ${space.id}
          and not ${vectorOf("d", tables.document_vectors)}`),
        documentsWhere(sql`d.summary is not null and d.embedded_by is null
          and ${unawaited("d", "embed_documents", "ids")}`),
        ...both("document_vectors", searchedDocument()),
      ],
    },
    {
      name: "document vector index",
      detail: "documents that count as embedded and that search cannot find, and entries of documents that are gone",
      counts: [
        documentsWhere(sql`d.summary is not null and d.embedded_by = ${space.id}
          and not exists (select 1 from ${sql.raw(tables.document_codes)} c
            join collections n on n.tenant_id = c.tenant_id and n.id = c.collection
            where ${same("c", "d")} and c.embedder_id = ${space.id} and n.name = d.collection)`),
        ...both("document_codes", searchedDocument()),
      ],
    },
    {
      name: "other model",
      detail: "vectors of the model beside the one that answers that its index lacks, or has of rows that are gone",
      counts: otherCounts(SIDES[otherSide(sideOf(space))], tenant),
    },
    {
      name: "entities",
      detail: "memories that are not found under the entities that they name, and wrong counts of them",
      counts: [memoriesWhere(IS_MISFILED), orphans("memory_entities", liveMemory("memory_seq")), miscounted(tenant)],
    },
    {
      name: "detector",
      detail: "memories demoted or linked without a finding, and claims of memories that are gone",
      counts: [
        sql`select count(*) as n from memory_checks c
          where ${ofTenant(sql`c.tenant_id`, tenant)} and c.former_status is not null and not exists (
            select 1 from findings f
            where f.tenant_id = c.tenant_id and f.older_seq = c.memory_seq and f.retracted_at is null)`,
        memoriesWhere(sql`m.supersedes_id is not null and not exists (
          select 1 from findings f join memories o on o.tenant_id = f.tenant_id and o.seq = f.older_seq
          where f.tenant_id = m.tenant_id and f.newer_seq = m.seq and f.retracted_at is null
            and o.id = m.supersedes_id)`),
        orphans("memory_claims", liveMemory("memory_seq")),
      ],
    },
    {
      name: "reading",
      detail: "memories that were never read for what they claim, and that no job will read",
      counts: [
        memoriesWhere(sql`not exists (select 1 from memory_checks c
            where c.tenant_id = m.tenant_id and c.memory_seq = m.seq and c.content_hash = m.content_hash)
          and ${unawaited("m", "understand_memories", "memory_ids")}`),
      ],
    },
    {
      name: "second readings",
      detail: "documents that count as read twice and are not, and readings that belong to no such document",
      counts: [
        documentsWhere(sql`d.paraphrased_by is not null and not exists (
          select 1 from document_paraphrases p where ${same("p", "d")} and p.embedder_id = d.paraphrased_by)`),
        orphans(
          "document_paraphrases",
          sql`select 1 from documents d where ${same("d", "x")} and d.paraphrased_by = x.embedder_id`,
        ),
      ],
    },
  ];
}

/** Whatever the model of a side that does not answer has read is as it should be; what it has not read yet is no fault. */
function otherCounts(side: SideTables, tenant: string | null): SQL[] {
  const unmatched = (table: string, other: string): SQL => sql`select count(*) as n from ${sql.raw(table)} x
    where ${ofTenant(sql`x.tenant_id`, tenant)}
      and not exists (select 1 from ${sql.raw(other)} o where ${same("o", "x")})`;
  return [
    sql`${unmatched(side.memory_vectors, side.memory_codes)} and exists (${liveMemory()})`,
    unmatched(side.memory_codes, side.memory_vectors),
    unmatched(side.document_vectors, side.document_codes),
    unmatched(side.document_codes, side.document_vectors),
    sql`select count(*) as n from ${sql.raw(side.memory_vectors)} x where ${ofTenant(sql`x.tenant_id`, tenant)}
      and not exists (select 1 from generations g where g.embedder_id = x.embedder_id)`,
  ];
}
