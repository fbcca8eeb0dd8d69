/** What the secondary embedder makes of documents: a vector of the summary and one of the whole, always both. */
export const paraphrases = `
  alter table documents add column paraphrased_by text;
  create table document_paraphrases (
    seq integer primary key references documents (seq),
    embedder_id text not null,
    summary blob not null,
    whole blob not null
  ) strict;
`;
