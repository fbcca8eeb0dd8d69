/** Rows whose time is over are looked up, not looked for. */
export const expiring = `
  create index memories_by_expiry on memories (tenant_id, expires_at) where expires_at is not null;
`;
