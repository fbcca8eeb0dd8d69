import type { EmbedderSpace } from "../../../options.ts";
import type { CodeStore } from "../../vectors/code-tables.ts";
import { createCodes } from "../../vectors/code-tables.ts";

/** Room for the vectors of a second model beside those of the first, and which of the two answers; none named is the first side. */
export const generations = ({ dimensions }: Pick<EmbedderSpace, "dimensions">, codes: CodeStore): string => `
  create table generations (
    side text primary key check (side in ('a', 'b')),
    model text not null,
    embedder_id text not null,
    space text not null,
    state text not null,
    has_answered integer not null default 0,
    started_at text not null,
    finished_at text,
    error text
  ) strict, without rowid;
  create table b_memory_vectors (
    seq integer primary key references memories (seq),
    embedder_id text not null,
    vector blob not null,
    context blob,
    second blob
  ) strict;
  ${createCodes("b_memory_codes", 2 * dimensions, codes)}
  create table b_document_vectors (
    seq integer primary key references documents (seq),
    embedder_id text not null,
    vector blob not null
  ) strict;
  ${createCodes("b_document_codes", dimensions, codes)}
`;
