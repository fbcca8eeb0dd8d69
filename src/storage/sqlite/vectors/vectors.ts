import type { HitQuery } from "../../../core/ports/hits.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { StoredVectors } from "../../common/index-codes.ts";
import { codeOf, codeOfRow } from "../../common/index-codes.ts";
import { otherSide, SIDES, sideOf, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import type { CodedRow, FiledVectors } from "../../units/memory-index.ts";
import { typeCode } from "../../units/memory-index.ts";
import { blobVector } from "../../units/vectors.ts";
import { authorNumber, narrowedAudiences } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { vectorBlob } from "./blob.ts";
import type { CodeClause } from "./code-tables.ts";
import { codeValue, nearestPlain } from "./code-tables.ts";

/** A row as the coarse index files it. */
export type TenantCodedRow = CodedRow & { readonly tenant_id: string };

/** One partition of the coarse index: a tenant's vectors of one embedder. */
export const codeSpace = (tenant_id: string, embedder_id: string): string => `${embedder_id}/${tenant_id}`;

/** One row in so many is coded a second time, in a partition of its own: what tells how far the nearest rows reach. */
const SAMPLE_EVERY = 16;
/** How much more than its share of a pool the sample is asked for, so that its reach is seldom too short. */
const SAMPLE_MARGIN = 1.75;
/** Smaller pools are found as fast without the sample. */
const SAMPLE_POOL_MIN = 64;
const sampleOf = (partition: string): string => `sample:${partition}`;
const isSampled = (seq: number): boolean => seq % SAMPLE_EVERY === 0;

/** Writes or replaces a row's vectors, exact and coarse, inside the caller's transaction; what is near to nothing has no code. */
export function putVectors(db: Connections, space: EmbedderSpace, row: TenantCodedRow, vectors: StoredVectors): void {
  const tables = tablesOf(space);
  removeCode(db, space, row.seq);
  db.writeConnection
    .query(`insert or replace into ${tables.memory_vectors} (seq, embedder_id, vector, context) values (?, ?, ?, ?)`)
    .run(row.seq, space.id, vectorBlob(vectors.own), vectors.context && vectorBlob(vectors.context));
  const code = codeOfRow(space, vectors);
  if (code === null) return;
  const partition = codeSpace(row.tenant_id, space.id);
  const put = db.writeConnection.query(
    `insert into ${tables.memory_codes} (space, seq, author, audience, kind, code) values (?, ?, ?, ?, ?, ${codeValue(db)})`,
  );
  const kind = typeCode(row.memory_type);
  put.run(partition, row.seq, row.author, row.audience, kind, code);
  if (db.extension !== null && isSampled(row.seq))
    put.run(sampleOf(partition), -row.seq, row.author, row.audience, kind, code);
}

/** Files the vectors that a row has again, without the context that is no longer its own; false when this embedder made none. */
export function recode(
  db: Connections,
  space: EmbedderSpace,
  row: TenantCodedRow & { previous_seq: number | null },
): boolean {
  const kept = filedVectors(db, space, row.seq);
  if (kept?.embedder_id !== space.id) return false;
  const { own, context } = kept;
  putVectors(db, space, row, { own, context: row.previous_seq === null ? null : context });
  return true;
}

/** A row's vectors as they were filed, inside the caller's transaction; null for none. */
export function filedVectors(db: Connections, space: EmbedderSpace, seq: number): FiledVectors | null {
  const filed = db.writeConnection
    .query<FiledRow, [number]>(
      `select embedder_id, vector, context from ${tablesOf(space).memory_vectors} where seq = ?`,
    )
    .get(seq);
  return filed && { embedder_id: filed.embedder_id, ...storedVectors(filed) };
}

interface FiledRow {
  readonly embedder_id: string;
  readonly vector: Uint8Array;
  readonly context: Uint8Array | null;
}

/** The vectors of a row as they were filed. */
export const storedVectors = ({ vector, context }: Omit<FiledRow, "embedder_id">): StoredVectors => ({
  own: blobVector(vector),
  context: context && blobVector(context),
});

/** Takes a row out of the coarse index, so that no search finds it by meaning. */
export function removeCode(db: Connections, space: Pick<EmbedderSpace, "side">, seq: number): void {
  const remove = db.writeConnection.query(`delete from ${tablesOf(space).memory_codes} where seq = ?`);
  remove.run(seq);
  if (isSampled(seq)) remove.run(-seq);
}

/** Forgets a row's vectors, exact and coarse, of both sides. */
export function removeVectors(db: Connections, seq: number): void {
  removeSide(db, "a", seq);
  removeSide(db, "b", seq);
}

/** Forgets what the model beside the one of this space made of a row, which is no longer true: it is made again when it is wanted. */
export const removeOtherVectors = (db: Connections, space: Pick<EmbedderSpace, "side">, seq: number): void =>
  removeSide(db, otherSide(sideOf(space)), seq);

function removeSide(db: Connections, side: Side, seq: number): void {
  removeCode(db, { side }, seq);
  db.writeConnection.query(`delete from ${SIDES[side].memory_vectors} where seq = ?`).run(seq);
}

/**
 * The rows whose codes differ least from the query's, nearest first; filtered by what the index knows of a row.
 * sqlite-vec passes over all codes once for each row of the pool, unless a distance leaves few to choose from: the
 * sample tells one that nearly always holds the pool, and where it does not, the scan is done without.
 */
export function nearestCodes(
  db: Connections,
  space: EmbedderSpace,
  query: Pick<HitQuery, "filter" | "pool">,
  asked: Float32Array,
): number[] {
  const { filter, pool } = query;
  const partition = codeSpace(filter.tenant_id, space.id);
  const code = codeOf(space, asked);
  const clauses = clausesOf(db, filter);
  if (db.extension === null) {
    const where = [{ sql: "space = ?", value: partition }, ...clauses];
    return nearestPlain(db, tablesOf(space).memory_codes, { code, wanted: pool, where });
  }
  const scan = codeScan(db, tablesOf(space).memory_codes, clauses, code);
  const farthest = 2 * space.dimensions;
  const sampled = Math.ceil((pool / SAMPLE_EVERY) * SAMPLE_MARGIN);
  const sample = pool < SAMPLE_POOL_MIN ? [] : scan(sampleOf(partition), sampled, farthest);
  const reach = sample[sampled - 1]?.distance ?? farthest;
  const near = scan(partition, pool, reach);
  const isWhole = near.length === pool || reach === farthest;
  return (isWhole ? near : scan(partition, pool, farthest)).map(({ seq }) => seq);
}

type CodeScan = (partition: string, k: number, reach: number) => { readonly seq: number; readonly distance: number }[];

/** What the table of codes knows of what a filter asks. */
function clausesOf(db: Connections, filter: MemoryFilter): CodeClause[] {
  const clauses: CodeClause[] = [];
  const { written_by, memory_types = [], tenant_id } = filter;
  if (written_by !== undefined) clauses.push({ sql: "author = ?", value: authorNumber(db, tenant_id, written_by) });
  const audiences = narrowedAudiences(db, filter);
  if (audiences)
    clauses.push({ sql: "audience in (select value from json_each(?))", value: JSON.stringify(audiences) });
  const [kind, ...others] = memory_types;
  if (kind !== undefined && others.length === 0) clauses.push({ sql: "kind = ?", value: typeCode(kind) });
  return clauses;
}

/** Finds the `k` codes nearest to one within `reach`, among rows that a filter does not rule out by its indexed part. */
function codeScan(db: Connections, table: string, narrowing: readonly CodeClause[], code: Uint8Array): CodeScan {
  const clauses = ["code match vec_bit(?)", "space = ?", "k = ?", "distance <= ?", ...narrowing.map(({ sql }) => sql)];
  const values = narrowing.map(({ value }) => value);
  const statement = db.readConnection.query<{ seq: number; distance: number }, [Uint8Array, ...(string | number)[]]>(
    `select seq, distance from ${table} where ${clauses.join(" and ")}`,
  );
  return (partition, k, reach) => statement.all(code, partition, k, reach, ...values);
}
