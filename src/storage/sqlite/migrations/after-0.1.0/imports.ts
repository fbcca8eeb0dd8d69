/** How far each source of an import was read: written in the transaction that stores its records. */
export const imports = `
create table imports (
  tenant_id text not null,
  source text not null,
  position integer not null,
  updated_at text not null,
  primary key (tenant_id, source)
) strict, without rowid;
`;
