/** A kept reply belongs to the credential that asked; whose those of before were nobody noted, and they live a day only. */
export const replyOwners = `
  drop table kept_replies;
  create table kept_replies (
    tenant_id text not null,
    credential text not null,
    key text not null,
    request_hash text not null,
    status integer,
    body text,
    expires integer not null,
    primary key (tenant_id, credential, key)
  ) strict;
  create index kept_replies_by_expiry on kept_replies (expires);
`;
