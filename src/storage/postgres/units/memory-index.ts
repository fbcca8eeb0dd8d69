import type { EmbedderSpace } from "../../options.ts";
import type { MemoryIndex } from "../../units/memory-index.ts";
import type { Unit } from "../../units/unit.ts";
import { wait } from "../../units/unit.ts";
import type { TenantWork } from "../engine/work.ts";
import { putWords, removeWords } from "../search/keyword-index.ts";
import {
  filedVectors,
  putVectors,
  recode,
  removeCodes,
  removeOtherVectors,
  removeVectors,
} from "../vectors/vectors.ts";

/** The words and the vectors of a tenant's memories in this engine. */
export function postgresMemoryIndex(work: TenantWork, space: EmbedderSpace): MemoryIndex {
  return {
    putWords: (rows) => wait(() => putWords(work, rows)),
    removeWords: (seqs) => wait(() => removeWords(work, seqs)),
    putVectors: (rows) => wait(() => putVectors(work, space, rows)),
    filedVectors: (seqs) => wait(() => filedVectors(work, space, seqs)),
    recode: (rows) => wait(() => recode(work, space, rows)),
    removeCodes: (seqs) => done(() => removeCodes(work, space, seqs)),
    removeVectors: (seqs) => wait(() => removeVectors(work, seqs)),
    removeOtherVectors: (seqs) => wait(() => removeOtherVectors(work, space, seqs)),
  };
}

function* done(act: () => Promise<unknown>): Unit<void> {
  yield* wait(act);
}
