import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type { ImportOutcome, IncomingDocument } from "../../../core/ports/keeping/transfer.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { beside, CREATED, NO_ROOM_FOR_DOCUMENT } from "../../common/transfer/write-context.ts";
import { putDocumentWords } from "../documents/indexes.ts";
import { putMembers } from "../documents/members.ts";
import { documentRow } from "../documents/read.ts";
import { jsonValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** Stores documents as they are, inside the caller's transaction; those that are there stay. */
export function documentWriter(work: TenantWork, { now, takesDocument }: WriteContext, clock: Clock) {
  const stored: string[] = [];
  const writeOne = async ({ document, approval, searchable }: IncomingDocument): Promise<ImportOutcome> => {
    const { tenant_id } = work;
    const { collection, doc_id, data, fleet_id = null, created_at, updated_at } = document;
    const present = await documentRow(work, { tenant_id, collection, doc_id });
    if (present) return beside(present.data, data);
    if (!takesDocument()) return NO_ROOM_FOR_DOCUMENT;
    const id = newId(clock);
    const row = await work.row<{ seq: number }>(sql`
      insert into documents (tenant_id, id, fleet_id, collection, doc_id, data, created_at, updated_at, summary,
        approval)
      values (${tenant_id}, ${id}, ${fleet_id}, ${collection}, ${doc_id}, ${jsonValue(data)}, ${created_at ?? now},
        ${updated_at ?? created_at ?? now}, ${searchable?.summary ?? null}, ${jsonValue(approval)}) returning seq`);
    if (!row) throw new Error("The database returned no row for a new document.");
    const membered = { seq: row.seq, collection };
    await putMembers(work, membered, data);
    if (searchable) await putDocumentWords(work, membered, searchable);
    if (searchable) stored.push(id);
    return CREATED;
  };
  return {
    /** Ids of those that search reads. */
    stored,
    write: async (documents: readonly IncomingDocument[]): Promise<ImportOutcome[]> => {
      const outcomes: ImportOutcome[] = [];
      for (const document of documents) outcomes.push(await writeOne(document));
      return outcomes;
    },
  };
}
