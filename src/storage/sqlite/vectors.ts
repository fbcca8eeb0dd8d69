import { sql } from "drizzle-orm";
import type { HitQuery, RowVectors } from "../../ports/memory-store.ts";
import type { MemoryType } from "../../schema/memory.ts";
import { MEMORY_TYPES } from "../../schema/memory.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { authorNumber, narrowedAudiences } from "./owners.ts";
import { signCode, vectorBlob } from "./rows.ts";

/** What the coarse index must know of a row to filter while it scans. */
export interface CodedRow {
  readonly seq: number;
  readonly tenant_id: string;
  readonly author: number;
  readonly audience: number;
  readonly memory_type: MemoryType;
}

/** One partition of the coarse index: a tenant's vectors of one embedder. */
export const codeSpace = (tenant_id: string, embedder_id: string): string => `${embedder_id}/${tenant_id}`;

/** The integer that stands for a memory type in the coarse index. */
export const typeCode = (type: string): number => MEMORY_TYPES.map(String).indexOf(type);

/** Writes or replaces a row's vectors, exact and coarse, inside the caller's transaction. */
export function putVectors(at: Connections, space: EmbedderSpace, row: CodedRow, vectors: RowVectors): void {
  removeCode(at, row.seq);
  at.writer
    .query("insert or replace into memory_vectors (seq, embedder_id, vector, context) values (?, ?, ?, ?)")
    .run(row.seq, space.id, vectorBlob(vectors.own), vectors.context && vectorBlob(vectors.context));
  const code = signCode(blend(vectors), space.center);
  at.writer
    .query("insert into memory_codes (space, seq, author, audience, kind, code) values (?, ?, ?, ?, ?, vec_bit(?))")
    .run(codeSpace(row.tenant_id, space.id), row.seq, row.author, row.audience, typeCode(row.memory_type), code);
}

/** Takes a row out of the coarse index, so that no search finds it by meaning. */
export function removeCode(at: Connections, seq: number): void {
  at.writer.query("delete from memory_codes where seq = ?").run(seq);
}

/** Forgets a row's vectors, exact and coarse. */
export function removeVectors(at: Connections, seq: number): void {
  removeCode(at, seq);
  at.writer.query("delete from memory_vectors where seq = ?").run(seq);
}

/** The mean of a row's two vectors: near to whatever either of them is near to. */
function blend({ own, context }: RowVectors): Float32Array {
  return context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
}

/** The rows whose codes differ least from the query's, nearest first; filtered by what the index knows of a row. */
export function nearestRows(at: Connections, space: EmbedderSpace, query: HitQuery, vector: Float32Array): number[] {
  const { filter, pool } = query;
  const conditions = [
    sql`code match vec_bit(${signCode(vector, space.center)})`,
    sql`k = ${pool}`,
    sql`space = ${codeSpace(filter.tenant_id, space.id)}`,
  ];
  if (filter.written_by !== undefined)
    conditions.push(sql`author = ${authorNumber(at, filter.tenant_id, filter.written_by)}`);
  const audiences = filter.reach && narrowedAudiences(at, filter.reach);
  if (audiences) conditions.push(sql`audience in (select value from json_each(${JSON.stringify(audiences)}))`);
  const [kind, ...others] = filter.memory_types ?? [];
  if (kind !== undefined && others.length === 0) conditions.push(sql`kind = ${typeCode(kind)}`);
  const rows = at.read.all<{ seq: number }>(
    sql`select seq from memory_codes where ${sql.join(conditions, sql` and `)}`,
  );
  return rows.map(({ seq }) => seq);
}
