import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { sideOf, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Engine, Work } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { generationRows } from "./rows.ts";

type Unread = { readonly id: string; readonly tenant_id: string };
type Model = Pick<EmbedderSpace, "id" | "side">;

/**
 * Brings what rows say of their vectors in line with what a model has made of them, inside the caller's transaction: those
 * that it has read count as embedded by it, the others as waiting, and jobs read them. Of one tenant; of all for null.
 */
export async function settleEmbedded(
  work: Work,
  model: Model,
  { tenant_id, now_ms }: { readonly tenant_id: string | null; readonly now_ms: number },
): Promise<void> {
  const { memory_vectors, document_vectors } = tablesOf(model);
  const of = tenant_id === null ? sql`true` : sql`t.tenant_id = ${tenant_id}`;
  const memories = await settle(work, model, {
    table: sql`memories`,
    vectors: sql.raw(memory_vectors),
    where: sql`${of} and t.deleted_at is null`,
  });
  const documents = await settle(work, model, {
    table: sql`documents`,
    vectors: sql.raw(document_vectors),
    where: sql`${of} and t.summary is not null`,
  });
  if (memories.length > 0) await queueAfter(work, { kind: "memories_unembedded", rows: memories, now_ms });
  if (documents.length > 0) await queueAfter(work, { kind: "documents_unembedded", rows: documents, now_ms });
}

interface Settled {
  readonly table: SQL;
  readonly vectors: SQL;
  readonly where: SQL;
}

async function settle(work: Work, { id }: Model, { table, vectors, where }: Settled): Promise<Unread[]> {
  const has = sql`exists (select 1 from ${vectors} v
    where v.tenant_id = t.tenant_id and v.seq = t.seq and v.embedder_id = ${id})`;
  await work.run(
    sql`update ${table} t set embedded_by = ${id} where ${where} and t.embedded_by is distinct from ${id} and ${has}`,
  );
  return work.rows<Unread>(sql`update ${table} t set embedded_by = null
    where ${where} and t.embedded_by is not null and not ${has} returning t.id, t.tenant_id`);
}

/** The same engine, whose writes are read by the model that answers where that is another by now. */
export const followingModel = (engine: Engine, clock: Clock, mayHaveChanged: () => boolean): Engine => ({
  ...engine,
  write: (tenant_id, body) =>
    engine.write(tenant_id, async (work) => {
      const done = await body(work);
      if (!mayHaveChanged()) return done;
      const { active } = await generationRows(work);
      if (active && active.side !== sideOf(engine.space))
        await settleEmbedded(work, { id: active.embedder_id, side: active.side }, { tenant_id, now_ms: clock.now() });
      return done;
    }),
});
