import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { sideOf, tablesOf } from "../common/sides.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { WideWork } from "../units/work.ts";
import { generationRows } from "./rows.ts";

type Unread = { readonly id: string; readonly tenant_id: string };
type Model = Pick<EmbedderSpace, "id" | "side">;

/**
 * Brings what rows say of their vectors in line with what a model has made of them, inside the caller's transaction: those
 * that it has read count as embedded by it, the others as waiting, and jobs read them. Of one tenant; of all for null.
 */
export function* settleEmbedded(work: WideWork, model: Model, tenant_id: string | null, now_ms: number): Unit<void> {
  const { memory_vectors, document_vectors } = tablesOf(model);
  const of = tenant_id === null ? sql`true` : sql`tenant_id = ${tenant_id}`;
  const memories = yield* settle(work, model, "memories", memory_vectors, sql`${of} and deleted_at is null`);
  const documents = yield* settle(work, model, "documents", document_vectors, sql`${of} and summary is not null`);
  if (memories.length > 0) yield* queueAfter(work, { kind: "memories_unembedded", rows: memories, now_ms });
  if (documents.length > 0) yield* queueAfter(work, { kind: "documents_unembedded", rows: documents, now_ms });
}

function* settle({ dialect }: WideWork, { id }: Model, table: string, vectors: string, where: SQL): Unit<Unread[]> {
  const has = sql`exists (select 1 from ${sql.raw(vectors)} v
    where ${dialect.tenant("v", sql.raw(`${table}.tenant_id`))} and v.seq = ${sql.raw(table)}.seq and v.embedder_id = ${id})`;
  const settled = (by: string | null, which: SQL) =>
    sql`update ${sql.raw(table)} set embedded_by = ${by} where ${where} and ${which}`;
  yield* run(settled(id, sql`embedded_by is distinct from ${id} and ${has}`));
  return yield* rows<Unread>(
    sql`${settled(null, sql`embedded_by is not null and not ${has}`)} returning id, tenant_id`,
  );
}

/** What a tenant wrote for a model is read by the one that answers, where that is another by now. */
export function* followModel(work: WideWork, tenant_id: string, clock: Clock): Unit<void> {
  const { active } = yield* generationRows();
  if (active && active.side !== sideOf(work.space))
    yield* settleEmbedded(work, { id: active.embedder_id, side: active.side }, tenant_id, clock.now());
}
