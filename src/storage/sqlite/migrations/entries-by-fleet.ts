/**
 * What is entered by hand of a name, every fleet enters for itself, and so are relations; an entity is what they have in
 * common. Other names of an entry stand under its number, below nothing.
 */
export const entriesByFleet = `
  create table entity_entries (
    seq integer primary key,
    entity_seq integer not null references entities (seq),
    fleet_id text,
    entity_type text not null,
    canonical_name text not null,
    attributes text,
    created_at text not null,
    updated_at text not null
  ) strict;
  create unique index entity_entries_by_fleet on entity_entries (entity_seq, fleet_id);
  create unique index entity_entries_shared on entity_entries (entity_seq) where fleet_id is null;
  insert into entity_entries (entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at)
    select seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at from entities
    where by_hand = 1 order by seq;
  update entity_aliases set memory_seq = -(select h.seq from entity_entries h where h.entity_seq = entity_aliases.entity_seq)
    where memory_seq = 0 and entity_seq in (select entity_seq from entity_entries);
  alter table entities drop column fleet_id;
  alter table entities drop column attributes;
  alter table entities drop column by_hand;
  alter table entities drop column updated_at;
  drop index relations_by_ends;
  create unique index relations_by_ends on relations (tenant_id, from_seq, to_seq, relation_type, fleet_id);
  create unique index relations_shared on relations (tenant_id, from_seq, to_seq, relation_type) where fleet_id is null;
`;
