/** What is understood of memories: the entities they name, and how those relate. */
export const understanding = `
  create table entities (
    seq integer primary key,
    id text not null unique,
    tenant_id text not null,
    fleet_id text,
    entity_type text not null,
    canonical_name text not null,
    name_key text not null,
    attributes text,
    created_at text not null,
    updated_at text not null
  ) strict;
  create unique index entities_by_name on entities (tenant_id, name_key);
  create table memory_entities (
    entity_seq integer not null references entities (seq),
    memory_seq integer not null references memories (seq),
    role text not null,
    primary key (entity_seq, memory_seq)
  ) strict, without rowid;
  create index memory_entities_by_memory on memory_entities (memory_seq);
`;
