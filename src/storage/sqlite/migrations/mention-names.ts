/**
 * Every mention keeps how it spells its entity and what kind it takes it for, so that a reader is told of its own rows
 * alone. What was linked before is taken to spell it as the entity does.
 */
export const mentionNames = `
  alter table memory_entities add column name text;
  alter table memory_entities add column entity_type text;
  update memory_entities set (name, entity_type) =
    (select canonical_name, entity_type from entities where seq = entity_seq) where direct = 1;
`;
