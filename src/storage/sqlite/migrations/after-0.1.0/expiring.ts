/**
 * Rows whose time is over are looked up, not looked for; and so are all rows of an agent, deleted ones too, where it is asked
 * whether the agent's own row may go.
 */
export const expiring = `
  create index memories_by_expiry on memories (tenant_id, expires_at) where expires_at is not null;
  drop index memories_live_by_author;
  create index memories_by_writer on memories (author, deleted_at);
`;
