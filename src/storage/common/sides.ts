import type { EmbedderSpace, Side } from "../options.ts";

/** The tables that hold the vectors of one side, exact and coarse. */
export interface SideTables {
  readonly memory_vectors: "memory_vectors" | "b_memory_vectors";
  readonly memory_codes: "memory_codes" | "b_memory_codes";
  readonly document_vectors: "document_vectors" | "b_document_vectors";
  readonly document_codes: "document_codes" | "b_document_codes";
}

/** Both sides' tables. */
export const SIDES: Readonly<Record<Side, SideTables>> = {
  a: {
    memory_vectors: "memory_vectors",
    memory_codes: "memory_codes",
    document_vectors: "document_vectors",
    document_codes: "document_codes",
  },
  b: {
    memory_vectors: "b_memory_vectors",
    memory_codes: "b_memory_codes",
    document_vectors: "b_document_vectors",
    document_codes: "b_document_codes",
  },
};

/** The side that a space's vectors lie on. */
export const sideOf = ({ side = "a" }: Pick<EmbedderSpace, "side">): Side => side;

/** The tables of a space. */
export const tablesOf = (space: Pick<EmbedderSpace, "side">): SideTables => SIDES[sideOf(space)];

/** The side that it is not. */
export const otherSide = (side: Side): Side => (side === "a" ? "b" : "a");
