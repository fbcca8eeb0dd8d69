import type { SearchableText } from "../../core/ports/storage.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "./unit.ts";

/** A document by its number, and the collection under which it is indexed. */
export interface FiledDocument {
  readonly seq: number;
  readonly collection: string;
}

/** The same, with the number of its collection. */
export interface CodedDocument {
  readonly seq: number;
  readonly collection: number;
}

/** How an engine has a tenant's documents found by their words and by codes of their vectors, inside the caller's transaction. */
export interface DocumentIndex {
  /** Writes or replaces the words that search reads of a document. */
  putWords(row: FiledDocument, searchable: SearchableText): Unit<unknown>;
  /** Takes a document's words out of search. */
  removeWords(seq: number): Unit<unknown>;
  /** Files the code of a document that has none in this space. */
  putCode(space: EmbedderSpace, row: CodedDocument, vector: Float32Array): Unit<unknown>;
}
