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
    by_hand integer not null,
    created_at text not null,
    updated_at text not null
  ) strict;
  create unique index entities_by_name on entities (tenant_id, name_key);
  create table memory_entities (
    entity_seq integer not null references entities (seq),
    memory_seq integer not null references memories (seq),
    audience integer not null,
    role text not null,
    direct integer not null,
    primary key (entity_seq, memory_seq)
  ) strict, without rowid;
  create index memory_entities_by_memory on memory_entities (memory_seq);
  create table entity_audiences (
    entity_seq integer not null references entities (seq),
    audience integer not null references audiences (id),
    links integer not null,
    direct integer not null,
    since text not null,
    primary key (entity_seq, audience)
  ) strict, without rowid;
  create table entity_aliases (
    tenant_id text not null,
    alias_key text not null,
    entity_seq integer not null references entities (seq),
    memory_seq integer not null,
    audience integer not null,
    name text not null,
    primary key (tenant_id, alias_key, entity_seq, memory_seq)
  ) strict, without rowid;
  create index entity_aliases_by_entity on entity_aliases (entity_seq);
  create index entity_aliases_by_memory on entity_aliases (memory_seq);
  create table relations (
    seq integer primary key,
    id text not null unique,
    tenant_id text not null,
    fleet_id text,
    from_seq integer not null references entities (seq),
    relation_type text not null,
    to_seq integer not null references entities (seq),
    weight real not null,
    evidence_memory_id text,
    created_at text not null,
    updated_at text not null
  ) strict;
  create unique index relations_by_ends on relations (tenant_id, from_seq, to_seq, relation_type);
  create index relations_by_target on relations (to_seq);
`;
