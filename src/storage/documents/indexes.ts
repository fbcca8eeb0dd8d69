import { sql } from "drizzle-orm";
import { isSilent } from "../../core/kernel/vectors.ts";
import { otherSide, SIDES, sideOf, tablesOf } from "../common/sides.ts";
import type { EmbedderSpace, Side } from "../options.ts";
import type { FiledDocument } from "../units/document-index.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { removeMembers } from "./members.ts";

/**
 * Writes or replaces a document's vector, exact and coarse, inside the caller's transaction; a silent one has no code.
 */
export function* putDocumentVector(
  work: ChangeWork,
  space: EmbedderSpace,
  { seq, collection }: FiledDocument,
  vector: Float32Array,
): Unit<void> {
  const { dialect, tenant_id } = work;
  const { document_vectors } = tablesOf(space);
  yield* run(sql`insert into ${sql.raw(document_vectors)} (${dialect.tenantColumn}seq, embedder_id, vector)
    values (${dialect.tenantValue(tenant_id)}${seq}, ${space.id}, ${dialect.vector(vector)})
    on conflict ${dialect.key("seq")} do update set embedder_id = excluded.embedder_id, vector = excluded.vector`);
  yield* removeFrom(work, tablesOf(space).document_codes, seq);
  if (isSilent(vector)) return;
  const numbered = { seq, collection: yield* collectionNumber(tenant_id, collection) };
  yield* work.documents.putCode(space, numbered, vector);
}

/** Takes a document's vectors out of search, those of both models. */
export function* removeDocumentVectors(work: TenantWork, seq: number): Unit<void> {
  yield* removeSide(work, "a", seq);
  yield* removeSide(work, "b", seq);
}

/** Forgets the vector that the model beside the one of this space made of a document. */
export const removeOtherDocumentVector = (
  work: TenantWork,
  space: Pick<EmbedderSpace, "side">,
  seq: number,
): Unit<void> => removeSide(work, otherSide(sideOf(space)), seq);

function* removeSide(work: TenantWork, side: Side, seq: number): Unit<void> {
  yield* removeFrom(work, SIDES[side].document_codes, seq);
  yield* removeFrom(work, SIDES[side].document_vectors, seq);
}

const removeFrom = ({ dialect, tenant_id }: TenantWork, table: string, seq: number): Unit<number> =>
  run(sql`delete from ${sql.raw(table)} where ${dialect.tenant(table, tenant_id)} and seq = ${seq}`);

/** The number of a collection, given at its first document. */
export function* collectionNumber(tenant_id: string, name: string): Unit<number> {
  const known = () =>
    row<{ id: number }>(sql`select id from collections where tenant_id = ${tenant_id} and name = ${name}`);
  const before = yield* known();
  if (before) return before.id;
  yield* run(sql`insert into collections (tenant_id, name) values (${tenant_id}, ${name}) on conflict do nothing`);
  const added = yield* known();
  if (!added) throw new Error("The collection just written cannot be read.");
  return added.id;
}

/** Takes a document out of all that finds it, inside the caller's transaction. */
export function* removeIndexed(work: ChangeWork, seq: number): Unit<void> {
  yield* removeMembers(work, seq);
  yield* work.documents.removeWords(seq);
  yield* removeDocumentVectors(work, seq);
}
