import { sql } from "drizzle-orm";
import type { DocumentRow } from "../../documents/read.ts";
import { documentRows, toDocument } from "../../documents/read.ts";
import { rebuildDocument } from "../../documents/rebuild.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { otherSpace } from "../generations/rows.ts";
import { queueAfter } from "../jobs/queue.ts";
import { within } from "../units/run.ts";
import type { RebuildBy, Rebuilt } from "./rebuilt.ts";

/** Rebuilds what is derived from some documents of a tenant, inside the caller's transaction. */
export async function rebuildDocuments(
  work: TenantWork,
  seqs: readonly number[],
  { nowMs, textOf }: RebuildBy,
): Promise<Rebuilt> {
  const other = await otherSpace(work);
  const [count, lost] = await within(work, function* (unit) {
    const rows = yield* documentRows(sql`select * from documents
      where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) order by seq`);
    const lost: DocumentRow[] = [];
    for (const row of rows) if (!(yield* rebuildDocument(unit, row, textOf(toDocument(row)), other))) lost.push(row);
    return [rows.length, lost] as const;
  });
  await queueAfter(work, { kind: "documents_unembedded", rows: lost, now_ms: nowMs });
  return { rows: count, embeddings_queued: lost.length };
}
