import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { otherSide, SIDES, sideOf } from "../common/sides.ts";
import { rereadTenants } from "../jobs/reembed.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Derived } from "./derived.ts";
import { derivedOf, hasRow } from "./derived.ts";
import { isMisfiled, miscounted } from "./entities.ts";
import type { Slice, Walk } from "./slices.ts";
import { within } from "./slices.ts";

/** A statement that counts the faults of a slice as `n`, or of all rows; what it compares is looked up. */
export interface Counting {
  readonly over: Walk;
  /** Whether it tells of no tenant in particular, where an engine does not tell tenants apart in what it counts. */
  readonly isOfAll: boolean;
  count(slice: Slice | null): SQL;
}

/** What must hold between rows and what is made from them. */
export interface RowCheck {
  readonly name: string;
  /** What a fault is. */
  readonly detail: string;
  readonly counts: readonly Counting[];
}

/** What is checked. */
export interface Checked {
  /** The model whose vectors count. */
  readonly space: EmbedderSpace;
  /** The tenant whose rows are looked at; null for all, with what belongs to no tenant any more. */
  readonly tenant: string | null;
}

/** A memory `m`, or a document `d`. */
export type Row = "m" | "d";

/** What an engine says in its own way of what rows are compared with. */
export interface Compared {
  /** Holds for a memory that has words. */
  readonly isWorded: SQL;
  /** Where words of memories are, and which of them are of a row. */
  readonly words: Derived;
  /** Holds for a row of which no waiting job of a kind speaks. */
  unawaited(row: Row, kind: string, member: string): SQL;
  /** Holds for an entry `c` of a row's codes that has what is true of the row. */
  fits(row: Row, space: EmbedderSpace): SQL;
}

export const MEMORIES: Walk = { table: "memories", key: "seq" };
export const DOCUMENTS: Walk = { table: "documents", key: "seq" };
export const KEYWORDS = {
  name: "memory keywords",
  detail: "memories that keyword search cannot find, and words of memories that are gone",
};
export const MEMBERS = {
  name: "document members",
  detail: "documents that are not found by their members, or by members that they do not have",
};

/** Every check of rows against rows. */
export function rowChecks(dialect: SqlDialect, engine: Compared, { space, tenant }: Checked): readonly RowCheck[] {
  const { unawaited, fits } = engine;
  const isOwn = (table: string) => (tenant === null ? sql`true` : dialect.belongs(table, tenant));
  const ofTenant = (table: string) => (tenant === null ? sql`true` : dialect.tenant(table, tenant));
  const counted = (from: string, holds: SQL) => (slice: Slice | null) =>
    sql`select count(*) as n from ${sql.raw(from)} where ${within(`${from.at(-1)}.seq`, slice)} and ${holds}`;
  /** Live memories `m`, and documents `d`, for which a condition holds. */
  const memoriesWhere = (holds: SQL): Counting => {
    const isLive = sql`m.deleted_at is null and ${isOwn("m")}`;
    return { over: MEMORIES, isOfAll: false, count: counted("memories m", sql`${isLive} and ${holds}`) };
  };
  const documentsWhere = (holds: SQL): Counting => ({
    over: DOCUMENTS,
    isOfAll: false,
    count: counted("documents d", sql`${isOwn("d")} and ${holds}`),
  });
  const searchedWhere = (holds: SQL) => documentsWhere(sql`d.summary is not null and ${holds}`);
  /** Rows `x` of a table that is shared, for which a condition does not hold. */
  const unless = (over: Walk, holds: SQL): Counting => ({
    over,
    isOfAll: !dialect.tellsTenants,
    count: (slice) => sql`select count(*) as n from ${sql.raw(over.table)} x
      where ${within(`x.${over.key}`, slice)} and ${ofTenant("x")} and not ${holds}`,
  });
  const derived = new Map(derivedOf(dialect).map(({ index, over, isKept }) => [index, unless(over, isKept)]));
  const gone = (...indexes: string[]) => indexes.flatMap((index) => derived.get(index) ?? []);
  /** Holds for a row that has one of the same number in another table. */
  const has = (row: Row, { table, key }: Walk, also = sql`true`) => sql`exists (select 1 from ${sql.raw(table)} c
    where ${dialect.tenant("c", sql.raw(`${row}.tenant_id`))} and ${sql.raw(`c.${key} = ${row}.seq`)} and ${also})`;
  const bySeq = (table: string): Walk => ({ table, key: "seq" });
  const side = otherSide(sideOf(space));
  const [own, beside] = [SIDES[sideOf(space)], SIDES[side]];
  const isByModel = sql`c.embedder_id = ${space.id}`;
  const hasVector = {
    m: has("m", bySeq(own.memory_vectors), isByModel),
    d: has("d", bySeq(own.document_vectors), isByModel),
  };
  /** A silent vector is near to nothing, and is not filed. */
  const isSilent = (row: Row, vectors: string) => has(row, bySeq(vectors), dialect.isSilent(sql`c.vector`));
  const isEmbedded = (row: Row) => sql`${sql.raw(row)}.embedded_by = ${space.id}`;
  /** No job is there that has the model read it: one of its own, or that of its tenant for what another model has read. */
  const isLeftUnread = (row: Row, kind: string, member: string) => {
    const by = sql.raw(`${row}.embedded_by`);
    return sql`${by} is distinct from ${space.id} and ${unawaited(row, kind, member)}
      and (${by} is null or ${sql.raw(row)}.tenant_id not in (${rereadTenants(dialect)}))`;
  };
  const codes = dialect.entriesOf;
  return [
    {
      ...KEYWORDS,
      counts: [memoriesWhere(sql`not ${engine.isWorded}`), unless(engine.words.over, engine.words.isKept)],
    },
    {
      name: "memory vectors",
      detail: "memories that count as embedded and have no vector, or have none of this model and no job makes it",
      counts: [
        memoriesWhere(sql`${isEmbedded("m")} and not ${hasVector.m}`),
        memoriesWhere(isLeftUnread("m", "embed_memories", "memory_ids")),
      ],
    },
    {
      name: "memory vector index",
      detail: "vectors that search cannot find, and entries of memories that are gone",
      counts: [
        memoriesWhere(sql`${isEmbedded("m")} and ${hasVector.m}
          and not ${has("m", codes(own.memory_codes), fits("m", space))} and not ${isSilent("m", own.memory_vectors)}`),
        ...gone(own.memory_codes, beside.memory_codes),
      ],
    },
    {
      name: "document keywords",
      detail: "documents that keyword search cannot find, and words of documents that are gone",
      counts: [searchedWhere(sql`not ${has("d", codes("document_words"))}`), ...gone("document_words")],
    },
    {
      name: "document vectors",
      detail: "documents that count as embedded and have no vector, or have none of this model and no job makes it",
      counts: [
        searchedWhere(sql`${isEmbedded("d")} and not ${hasVector.d}`),
        searchedWhere(isLeftUnread("d", "embed_documents", "ids")),
        ...gone(own.document_vectors, beside.document_vectors),
      ],
    },
    {
      name: "document vector index",
      detail: "documents that count as embedded and that search cannot find, and entries of documents that are gone",
      counts: [
        searchedWhere(sql`${isEmbedded("d")} and not ${has("d", codes(own.document_codes), fits("d", space))}
          and not ${isSilent("d", own.document_vectors)}`),
        ...gone(own.document_codes, beside.document_codes),
      ],
    },
    {
      // Whatever it has read is as it should be; what it has not read yet is no fault.
      name: "other model",
      detail: "vectors of the model beside the one that answers that its index lacks, or has of rows that are gone",
      counts: [
        memoriesWhere(sql`${has("m", bySeq(beside.memory_vectors))} and not ${has("m", codes(beside.memory_codes))}
          and not ${isSilent("m", beside.memory_vectors)}`),
        documentsWhere(sql`${has("d", bySeq(beside.document_vectors))} and not ${has("d", codes(beside.document_codes))}
          and not ${isSilent("d", beside.document_vectors)}`),
        unless(
          codes(beside.memory_codes),
          hasRow(dialect, beside.memory_vectors, `abs(x.${codes(beside.memory_codes).key})`),
        ),
        unless(
          codes(beside.document_codes),
          hasRow(dialect, beside.document_vectors, `x.${codes(beside.document_codes).key}`),
        ),
        // Those of deleted rows stay, for when they are restored.
        unless(bySeq(beside.memory_vectors), hasRow(dialect, "memories", "x.seq")),
        unless(
          bySeq(beside.memory_vectors),
          sql`exists (select 1 from generations g where g.side = ${side} and g.embedder_id = x.embedder_id)`,
        ),
      ],
    },
    {
      name: "entities",
      detail: "memories that are not found under the entities that they name, and wrong counts of them",
      counts: [
        memoriesWhere(isMisfiled(dialect)),
        ...gone("memory_entities"),
        {
          over: bySeq("entities"),
          isOfAll: !dialect.tellsTenants,
          count: (slice) => miscounted(dialect, ofTenant, slice),
        },
      ],
    },
    {
      name: "detector",
      detail: "memories demoted or linked without a finding, and claims of memories that are gone",
      counts: [
        unless(
          { table: "memory_checks", key: "memory_seq" },
          sql`(x.former_status is null or exists (select 1 from findings f where ${dialect.tenant("f", sql`x.tenant_id`)}
            and f.older_seq = x.memory_seq and f.retracted_at is null and f.status <> ${POSSIBLE}))`,
        ),
        memoriesWhere(sql`m.supersedes_id is not null and not exists (
          select 1 from findings f join memories o on ${dialect.tenant("o", sql`f.tenant_id`)} and o.seq = f.older_seq
          where ${dialect.tenant("f", sql`m.tenant_id`)} and f.newer_seq = m.seq and f.retracted_at is null and f.status <> ${POSSIBLE}
            and o.id = m.supersedes_id)`),
        ...gone("memory_claims"),
      ],
    },
    {
      name: "reading",
      detail: "memories that were never read for what they claim, and that no job will read",
      counts: [
        memoriesWhere(sql`not ${has("m", { table: "memory_checks", key: "memory_seq" }, sql`c.content_hash = m.content_hash`)}
          and ${unawaited("m", "understand_memories", "memory_ids")}`),
      ],
    },
    { ...MEMBERS, counts: [unless(bySeq("document_members"), hasRow(dialect, "documents", "x.seq"))] },
  ];
}
