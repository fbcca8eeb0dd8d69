/** What was deleted when, and which kept reply shows which row: both are looked up when rows are erased. */
export const erasure = `
  create index memories_deleted on memories (tenant_id, deleted_at) where deleted_at is not null;
  create index kept_replies_by_row on kept_replies (case when json_valid(body) then body ->> '$.id' end)
    where body is not null;
  create index relations_by_evidence on relations (evidence_memory_id) where evidence_memory_id is not null;
`;
