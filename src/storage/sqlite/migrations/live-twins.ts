/** A text may return after its twin was superseded, withdrawn or expired: the hash finds rows and forbids none. */
export const liveTwins = `
  drop index memories_by_hash;
  create index memories_by_hash on memories (tenant_id, content_hash, agent_id, visibility) where deleted_at is null;
`;
