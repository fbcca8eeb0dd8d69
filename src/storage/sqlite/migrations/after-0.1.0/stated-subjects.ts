/** Rows that state something of an entity are looked up by it, so that a merge of two does not look for them. */
export const statedSubjects = `
create index memories_by_subject on memories (subject_entity_id) where subject_entity_id is not null;
`;
