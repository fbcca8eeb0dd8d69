import type { EmbedderSpace } from "../../options.ts";
import type { FiledVectors, MemoryIndex, Recoded } from "../../units/memory-index.ts";
import type { Unit } from "../../units/unit.ts";
import type { Connections } from "../engine/connection.ts";
import { putWords, removeWords } from "../search/keyword-index.ts";
import { filedVectors, putVectors, recode, removeCode, removeOtherVectors, removeVectors } from "../vectors/vectors.ts";

/** The words and the vectors of a tenant's memories in this engine. */
export function sqliteMemoryIndex(db: Connections, tenant_id: string, space: EmbedderSpace): MemoryIndex {
  const each = <T>(items: readonly T[], act: (item: T) => void): Unit<void> => atOnce(() => items.forEach(act));
  return {
    putWords: (rows) => each(rows, (row) => putWords(db, row)),
    removeWords: (seqs) => each(seqs, (seq) => removeWords(db, seq)),
    putVectors: (rows) => each(rows, ({ row, vectors }) => putVectors(db, space, { ...row, tenant_id }, vectors)),
    filedVectors: (seqs) =>
      atOnce(() => {
        const found = new Map<number, FiledVectors>();
        for (const seq of seqs) {
          const filed = filedVectors(db, space, seq);
          if (filed) found.set(seq, filed);
        }
        return found;
      }),
    recode: (rows) =>
      atOnce(() => {
        const isRecoded = (row: Recoded): boolean => recode(db, space, { ...row, tenant_id });
        return new Set(rows.filter(isRecoded).map(({ seq }) => seq));
      }),
    removeCodes: (seqs) => each(seqs, (seq) => removeCode(db, space, seq)),
    removeVectors: (seqs) => each(seqs, (seq) => removeVectors(db, seq)),
    removeOtherVectors: (seqs) => each(seqs, (seq) => removeOtherVectors(db, space, seq)),
  };
}

/** A unit of what this engine does without waiting. */
// biome-ignore lint/correctness/useYield: SQLite does at once what Postgres waits for.
export function* atOnce<T>(act: () => T): Unit<T> {
  return act();
}
