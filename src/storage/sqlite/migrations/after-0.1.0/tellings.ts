/** How often hooks told a memory, and how often that was taken up. */
export const tellings = `
create table tellings (
  memory_seq integer primary key references memories (seq),
  tenant_id text not null,
  told integer not null,
  used integer not null,
  last_told_at text not null
) strict;
`;
