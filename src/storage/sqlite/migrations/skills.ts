/** What skills need beyond documents: the fingerprints that were rejected. */
export const skills = `
  create table skill_poison (
    id integer primary key,
    tenant_id text not null,
    fleet_id text,
    fingerprint text not null,
    rejected_by text,
    rejected_at text not null,
    expires_at text not null,
    reason text not null
  ) strict;
  create index skill_poison_by_fingerprint on skill_poison (tenant_id, fingerprint, expires_at);
  create index skill_poison_by_expiry on skill_poison (tenant_id, expires_at);
`;
