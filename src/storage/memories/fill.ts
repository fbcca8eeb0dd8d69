import { sql } from "drizzle-orm";
import type { NewVector } from "../../core/ports/memory-store.ts";
import { recheckWithVectors } from "../conflicts/retract.ts";
import type { Recoded } from "../units/memory-index.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { trueVectors } from "./runs.ts";

type FilledRow = Recoded & Pick<NewVector, "id" | "content_hash">;

/** Stores vectors of rows whose text is still the one that was embedded; the others are passed over. */
export function* fillVectors(work: ChangeWork, vectors: readonly NewVector[], nowMs: number): Unit<void> {
  if (vectors.length === 0) return;
  const { dialect, tenant_id } = work;
  // Of two that read the same text, the last one counts.
  const made = new Map(vectors.map((one) => [textOf(one), one]));
  const read = [...made.values()].map(({ id, content_hash }) => ({ of_id: id, of_hash: content_hash }));
  const found = yield* rows<FilledRow>(sql`update memories as m set embedded_by = ${work.space.id}
    from ${dialect.records(read, "r", { of_id: "text", of_hash: "text" })}
    where ${dialect.belongs("m", tenant_id)} and m.id = r.of_id and m.content_hash = r.of_hash and m.deleted_at is null
    returning id, content_hash, seq, author, audience, memory_type, previous_seq`);
  const rowOf = new Map(found.map((row) => [textOf(row), row]));
  const filled = [...made].flatMap(([text, { vectors }]) => {
    const row = rowOf.get(text);
    return row ? [{ row, vectors }] : [];
  });
  yield* work.index.putVectors(yield* trueVectors(work, filled));
  yield* recheckWithVectors(
    work,
    filled.map(({ row }) => row.seq),
    nowMs,
  );
}

const textOf = ({ id, content_hash }: Pick<NewVector, "id" | "content_hash">): string => `${id} ${content_hash}`;
