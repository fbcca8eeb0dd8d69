/** How often hooks told a memory, how often it could be seen whether that was taken up, and how often it was. */
export const tellings = `
create table tellings (
  memory_seq integer primary key references memories (seq),
  tenant_id text not null,
  told integer not null,
  watched integer not null,
  used integer not null,
  last_told_at text not null
) strict;
`;
