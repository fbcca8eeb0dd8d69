import { sql } from "drizzle-orm";
import type { NewVector } from "../../../core/ports/memory-store.ts";
import { recheckWithVectors } from "../../conflicts/retract.ts";
import type { Recoded } from "../../units/memory-index.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { within } from "../units/run.ts";
import { putVectors } from "../vectors/vectors.ts";
import { trueVectors } from "./runs.ts";

type FilledRow = Recoded & { readonly id: string; readonly content_hash: string };

/** Stores vectors of rows whose text is still the one that was embedded; the others are passed over. */
export async function fillVectors(work: TenantWork, vectors: readonly NewVector[], nowMs: number): Promise<void> {
  if (vectors.length === 0) return;
  // Of two that read the same text, the last one counts.
  const made = new Map(vectors.map((one) => [textOf(one), one.vectors]));
  const read = vectors.map(({ id, content_hash }) => ({ id, content_hash }));
  const filled = await work.rows<FilledRow>(sql`update memories m set embedded_by = ${work.space.id}
    from json_to_recordset(${recordsValue(read)}) as r (id text, content_hash text)
    where m.tenant_id = ${work.tenant_id} and m.id = r.id and m.content_hash = r.content_hash and m.deleted_at is null
    returning m.id, m.content_hash, m.seq, m.author, m.audience, m.memory_type, m.previous_seq`);
  const rows = filled.flatMap((row) => {
    const own = made.get(textOf(row));
    return own ? [{ row, vectors: own }] : [];
  });
  await putVectors(work, work.space, await trueVectors(work, rows));
  const seqs = filled.map(({ seq }) => seq);
  await within(work, (unit) => recheckWithVectors(unit, seqs, nowMs));
}

const textOf = ({ id, content_hash }: Pick<NewVector, "id" | "content_hash">): string => `${id} ${content_hash}`;
