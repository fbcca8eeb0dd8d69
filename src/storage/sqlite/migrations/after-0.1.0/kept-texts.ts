/** What memories said before they were edited, and who saw it then. */
export const keptTexts = `
create table kept_texts (
  seq integer primary key,
  id text not null unique,
  tenant_id text not null,
  memory_seq integer not null references memories (seq),
  content text not null,
  title text,
  visibility text not null,
  replaced_at text not null,
  replaced_by text
) strict;
create index kept_texts_by_memory on kept_texts (memory_seq);
create index kept_texts_by_time on kept_texts (tenant_id, replaced_at);
`;
