/**
 * Rows are found by what their callers stated, no longer by what was read in their texts. The predicate is spelled as
 * `conflicts/triple.ts` does, but for words run together ("livesIn").
 */
export const statedClaims = `
delete from memory_claims;
insert or ignore into memory_claims (tenant_id, fleet_id, subject_key, predicate, memory_seq)
  select tenant_id, coalesce(fleet_id, ''), subject_entity_id,
    replace(replace(lower(trim(predicate)), ' ', '_'), '-', '_'), seq
  from memories
  where subject_entity_id is not null and trim(predicate) <> '' and deleted_at is null
    and seq in (select memory_seq from memory_checks);
`;
