import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Audience } from "../../common/audiences.ts";
import { isReader } from "../../common/audiences.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import { intArray, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { tokenOf } from "./keyword-index.ts";

/** The memories that a reader may see, as the keyword index has them: what others hold neither counts nor costs anything. */
export interface ReadableRows {
  readonly tenant_id: string;
  /** Numbers of the sets of readers. */
  readonly audiences: readonly number[];
  /** How many live rows there are. */
  readonly total: number;
}

/** What of a tenant's rows a reader may see. */
export async function readableRows(
  work: Work,
  { tenant_id, read_scope }: Pick<MemoryFilter, "tenant_id" | "read_scope">,
): Promise<ReadableRows> {
  return readableAmong(await audiencesOf(work, tenant_id), { tenant_id, read_scope });
}

/** The same where the tenant's sets of readers are known. */
export function readableAmong(
  all: readonly Audience[],
  { tenant_id, read_scope }: Pick<MemoryFilter, "tenant_id" | "read_scope">,
): ReadableRows {
  const readable = all.filter((audience) => isReader(audience, read_scope));
  return {
    tenant_id,
    audiences: readable.map(({ id }) => id),
    total: readable.reduce((sum, { stored }) => sum + stored, 0),
  };
}

/** A term as the index has it under each of the readers. */
export const tokensOfTerm = (term: string, { audiences }: ReadableRows): string[] =>
  audiences.map((audience) => tokenOf(audience, term));

/** How many of the rows that a reader may see hold each of some terms, as `indexTerm` has them; those in none are left out. */
export async function rowsOf(work: Work, terms: readonly string[], { tenant_id, audiences }: ReadableRows) {
  if (terms.length === 0) return new Map<string, number>();
  const counts = await work.rows<{ word: string; rows: number }>(sql`
    select word, sum(stored)::bigint as rows from word_rows
    where tenant_id = ${tenant_id} and audience = any(${intArray(audiences)}) and word = any(${textArray(terms)})
    group by word`);
  return new Map(counts.map(({ word, rows }) => [word, rows]));
}
